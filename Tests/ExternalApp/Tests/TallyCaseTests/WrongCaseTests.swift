import Composable
import Foundation
import StatecastTesting
import TallyFeature
import XCTest

/// Fails where Statecast's own tests want to see it fail: not in the article.
final class WrongCaseTests: XCTestCase {
  @MainActor
  func testTallyGrows() async {
    let isWrong = ProcessInfo.processInfo.environment["TALLY_WRONG"] == "1"
    let store = TestStore(initialState: Tally.State()) { Tally() }
    await store.send(.add(2, by: "Ann")) {
      $0.count = isWrong ? 3 : 2
      $0.lastBy = "Ann"
    }
  }
}
