import Composable
import StatecastTesting
import TallyFeature
import XCTest

/// Failures of test stores are failures of the test that is running.
enum TestStoreFailures: FailureReporting {
  static var isRunning: Bool { true }

  static func report(_ failure: TestFailure) {
    XCTFail(failure.message, file: failure.location.filePath, line: failure.location.line)
  }
}

final class TallyCaseTests: XCTestCase {
  @MainActor
  func testTallyGrows() async {
    let store = TestStore(initialState: Tally.State()) { Tally() }
    await store.send(.add(2, by: "Ann")) {
      $0.count = 2
      $0.lastBy = "Ann"
    }
  }
}
