internal import Composable
internal import StateModel

/// What a test store says: what happened, the difference, what to do.
///
/// Apart from the store, so that each can be read, and is pinned by a test, as a whole.
enum TestStoreMessages {
  /// How an action came to the reducer.
  enum How: String {
    case sending = "send"
    case receiving = "receive"
  }

  /// An action in one line.
  static func one(_ action: some Any) -> String {
    Rendering(action).lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
      .replacing("( ", with: "(").replacing(" )", with: ")")
      .replacing("[ ", with: "[").replacing(" ]", with: "]")
  }

  // MARK: The state

  static func otherState(_ action: String?, expected: some Any, found: some Any) -> String {
    """
    The state\(action.map { " after \($0)" } ?? "") is not the expected one:

    \(difference(expected, found))

    (- expected, + found)

    Let the closure make this state, or mend the reducer.
    """
  }

  static func unasserted(
    _ action: String, _ before: some Any, _ after: some Any, _ how: How
  ) -> String {
    """
    \(action) changed the state, and nothing was asserted of it:

    \(difference(before, after))

    (- before, + after)

    Say so in a closure: 'await store.\(how.rawValue)(…) { $0.… = … }'.
    """
  }

  static func idleClosure(_ action: String) -> String {
    """
    The closure for \(action) changes nothing, and neither did the action. Leave the closure out, or \
    let it make the change that is expected.
    """
  }

  static func unboundField(_ action: String) -> String {
    """
    \(action) sets a field, and no reducer did. Add 'BindingReducer()' to the body of the reducer \
    whose action has that binding.
    """
  }

  static func threw(_ error: any Error) -> String {
    """
    The closure that makes the expected state threw an error: \(error). Let it throw nothing where \
    the test is to pass.
    """
  }

  static func notAsserted(_ action: String, _ told: some Any, _ after: some Any) -> String {
    """
    Not asserted of the state after \(action):

    \(difference(told, after))

    (- asserted, + found)
    """
  }

  static func rejection(
    _ action: String, expected: Rejection?, found: Rejection?
  ) -> String {
    switch (expected, found) {
    case (_, nil):
      """
      \(action) was to be refused, and was not. Leave 'rejectedWith:' out, or let the reducer return \
      '.reject(…)'.
      """
    case (nil, let found?):
      """
      \(action) was refused (\(found.code)): \(found.text)

      Assert that with 'rejectedWith: Rejection(…)', or mend the reducer.
      """
    case (let expected?, let found?):
      """
      \(action) was refused otherwise than expected:

      \(difference(Parts(expected), Parts(found)))

      (- expected, + found)

      Assert this rejection, or mend the reducer.
      """
    }
  }

  /// All of a rejection: by itself it is shown as its sentence.
  private struct Parts {
    let code: String
    let text: String
    let path: [Value]

    init(_ rejection: Rejection) {
      code = rejection.code
      text = rejection.text
      path = rejection.path
    }
  }

  // MARK: Received actions

  static func unreceived(_ left: [some Any], before action: some Any) -> String {
    """
    \(one(action)) was sent while \(actions(left.count)) from effects had not been asserted:

    \(list(left))

    Assert \(it(left.count)) before, with 'await store.receive(…)', or leave \(it(left.count)) out \
    with 'await store.skipReceivedActions()'.
    """
  }

  static func unreceived(_ left: [some Any]) -> String {
    """
    The test ended while \(actions(left.count)) from effects had not been asserted:

    \(list(left))

    Assert \(it(left.count)) with 'await store.receive(…)', or leave \(it(left.count)) out with \
    'await store.skipReceivedActions()'.
    """
  }

  static func otherAction(
    _ expected: String, found: some Any, difference: String?
  ) -> String {
    """
    Another action was received than \(expected):

    \(difference ?? "  " + one(found))\(difference == nil ? "" : "\n\n(- expected, + received)")

    Assert the actions in the order in which effects send them, or mend the effect.
    """
  }

  static func noAction(_ expected: String) -> String {
    """
    \(expected) was not received, and no effect is under way that could send it. Mend the effect that \
    should, or leave the 'receive' out.
    """
  }

  static func noActionInTime(
    _ expected: String, _ limit: Duration, _ underWay: [String]
  ) -> String {
    """
    \(expected) was not received within \(limit). Under way are effects of:

      \(underWay.joined(separator: "\n  "))

    If one waits for a clock, advance it ('await clock.advance(by: …)'); if it needs longer, say so \
    ('receive(…, timeout: …)').
    """
  }

  static var nothingReceived: String {
    """
    There was no received action to leave out. Leave 'skipReceivedActions' out, or say \
    'strict: false'.
    """
  }

  static func skipped(_ actions: [some Any]) -> String {
    "Not asserted: \(self.actions(actions.count)) from effects:\n\n\(list(actions))"
  }

  // MARK: Effects

  static func underWay(_ names: [String]) -> String {
    """
    The test ended while effects were under way, of:

      \(names.joined(separator: "\n  "))

    Let them end (advance the clock that they wait for, answer what they ask), cancel them by an \
    action, or leave them out with 'await store.skipInFlightEffects()'.
    """
  }

  static func late(_ names: [String], _ limit: Duration) -> String {
    """
    After \(limit) effects are still under way, of:

      \(names.joined(separator: "\n  "))

    If they wait for a clock, advance it ('await clock.advance(by: …)'); if they need longer, say so \
    ('finish(timeout: …)').
    """
  }

  static var nothingUnderWay: String {
    """
    There was no effect under way to leave out. Leave 'skipInFlightEffects' out, or say \
    'strict: false'.
    """
  }

  static func cancelled(_ names: [String]) -> String {
    "Not awaited: effects of:\n\n  \(names.joined(separator: "\n  "))"
  }

  // MARK: Parts

  private static func difference(_ old: some Any, _ new: some Any) -> String {
    Rendering.difference(old, new)
      ?? """
      (Both show the same, and '==' says that they differ: \(type(of: new)) hides what it compares.)
      """
  }

  private static func list(_ actions: [some Any]) -> String {
    actions.map { "  " + one($0) }.joined(separator: "\n")
  }

  private static func actions(_ count: Int) -> String {
    count == 1 ? "1 action" : "\(count) actions"
  }

  private static func it(_ count: Int) -> String { count == 1 ? "it" : "them" }
}
