internal import Composable
internal import StatecastClient
internal import SyncProtocol

/// What a remote test store says: what happened, the difference, what to do.
enum RemoteTestStoreMessages {
  static func unasserted(
    _ state: some Any, _ publications: [(state: Any, number: String)], before action: String? = nil
  ) -> String {
    var known: Any = state
    var shown: [String] = []
    for (state, number) in publications {
      shown.append("commit \(number):\n\(Rendering.difference(known, state) ?? "  (no change)")")
      known = state
    }
    return """
      \(action.map { "\($0) was sent" } ?? "The test ended") while publications had not been asserted:

      \(shown.joined(separator: "\n\n"))

      Assert each with 'await store.receive { $0.… = … }', or wait for what counts with 'await \
      store.receive(until: { … })'.
      """
  }

  static func notRefused(_ action: String, _ code: String) -> String {
    """
    \(action) was to be refused (\(code)), and was not. Leave 'refusedWith:' out, or let the reducer \
    or 'authorize(_:origin:)' refuse it.
    """
  }

  static func refused(_ action: String, _ failure: ActionFailure, expected: String?) -> String {
    """
    \(action) was refused (\(failure))\(expected.map { ", not \($0)" } ?? "").

    Assert that with 'refusedWith: .\(swiftName(failure.code))', or mend the reducer.
    """
  }

  /// `not-settable` as Swift has it.
  private static func swiftName(_ code: Code) -> String {
    let words = code.rawValue.split(separator: "-")
    return words.enumerated().map { index, word in
      index == 0 ? "\(word)" : word.prefix(1).uppercased() + word.dropFirst()
    }
    .joined()
  }

  static func late(_ limit: Duration, _ state: some Any) -> String {
    """
    No publication as expected came within \(limit). The view was last:

    \(Rendering(state).lines.map { "  " + $0 }.joined(separator: "\n"))

    A view is published only when it has changed: look at the daemon's log ('daemon.log', 'await \
    store.takeSteps()'), or give it more time ('receive(timeout: …)').
    """
  }

  static func step(_ action: some Any, _ sender: StepSender) -> String {
    switch sender {
    case .anybody: TestStoreMessages.one(action)
    case .client: "\(TestStoreMessages.one(action)) of a client"
    case .effect(let commit): "\(TestStoreMessages.one(action)) of an effect of commit \(commit)"
    }
  }

  static func noStep(_ expected: String) -> String {
    """
    The daemon's log has no further step: expected \(expected). Wait for what it publishes before, \
    with 'await store.receive(until: { … })'.
    """
  }

  static func otherStep(_ expected: String, _ found: String) -> String {
    """
    The daemon's log has another step than \(expected):

      \(found)

    Assert the steps in the order of the log, or mend who sent it.
    """
  }
}
