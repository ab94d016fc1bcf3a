import Composable
import Foundation
import StatecastTesting
import TallyFeature
import XCTest

/// The same store under XCTest: not in the article.
enum TestStoreFailures: FailureReporting {
  static var isRunning: Bool { true }

  static func report(_ failure: TestFailure) {
    XCTFail(failure.message, file: failure.location.filePath, line: failure.location.line)
  }
}

final class TallyCaseTests: XCTestCase {
  @MainActor
  func testTallyGrows() async {
    // Set where Statecast's own tests want to see it fail.
    let isWrong = ProcessInfo.processInfo.environment["TALLY_WRONG"] == "1"
    let store = TestStore(initialState: Tally.State()) { Tally() }
    await store.send(.add(2, by: "Ann")) {
      $0.count = isWrong ? 3 : 2
      $0.lastBy = "Ann"
    }
  }
}
