public import Composable
public import StateModel

/// Finds out whether a reducer gives the same states for the same actions: what a daemon relies on
/// when it recovers, and another process when it follows.
///
///     ReplayCheck.run(initialState: App.State(), actions: recorded) { App() }
///
/// It handles the actions again and again, with the same date, random numbers, origin and commit
/// each time, and compares the encodings. What differs is a failure that names the action. Most
/// often the reducer goes through a `Set` or a `Dictionary` in its own order, or asks something else
/// than `@Dependency` for time, randomness or ids.
///
/// The hash seed of a process cannot be changed, but a table's order depends on its address too (see
/// `hashSeed(for:scale:)` in the standard library). So every run builds all tables anew, in other
/// places: the state is decoded from its encoding, and ballast, which stays until the end, takes the
/// places that earlier runs gave back. Of two elements the order is the same in half of the cases:
/// that it is in all runs happens once in 32,768 times, with more elements practically never.
public enum ReplayCheck {
  /// How often the actions are handled.
  public static let runs = 16

  /// Handles the actions `runs` times, and compares what becomes of the state.
  ///
  /// - Parameters:
  ///   - initialState: what the state is at first.
  ///   - actions: what happens; effects are not run, so what they sent belongs among them.
  ///   - reducer: the feature; made anew for each run.
  /// - Returns: whether all runs were the same.
  @discardableResult
  public static func run<State: Mirrored, Action: Sendable, R: Reducer<State, Action>>(
    initialState: State, actions: [Action],
    @ReducerBuilder<State, Action> reducer: () -> R, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Bool {
    func fail(_ message: String) -> Bool {
      FailureReporter.current(
        TestFailure(
          message,
          at: TestFailure.Location(
            fileID: fileID, filePath: filePath, line: line, column: column)))
      return false
    }
    if isHashingDeterministic() { return fail(deterministic) }
    var first: [[UInt8]] = []
    var ballast: [Ballast] = []
    defer { withExtendedLifetime(ballast) {} }
    for run in 0..<runs {
      ballast.append(Ballast())
      let states: [[UInt8]]
      do throws(DecodingFailure) {
        states = try replay(initialState.encoded(), actions, reducer())
      } catch {
        return fail(undecodable(error))
      }
      if run == 0 { first = states }
      if let index = zip(first, states).enumerated().first(where: { $1.0 != $1.1 })?.offset {
        let states = [first, states].map { try? State(encoded: $0[index]) }
        return fail(differs(TestStoreMessages.one(actions[index]), index, states[0], states[1]))
      }
    }
    return true
  }

  /// The encodings of the state after each action.
  private static func replay<R: Reducer>(
    _ initial: [UInt8], _ actions: [R.Action], _ reducer: R
  ) throws(DecodingFailure) -> [[UInt8]] where R.State: Mirrored {
    var core = ReducerCore(reducer)
    var encoded = initial
    var states: [[UInt8]] = []
    for (index, action) in actions.enumerated() {
      var state = try R.State(encoded: encoded)
      let facts = CommitFacts(
        date: Double(index), seed: UInt64(index), origin: 1, commit: UInt64(index + 1))
      if core.perform(action, on: &state, facts: facts).rejection == nil {
        encoded = state.encoded()
      }
      states.append(encoded)
    }
    return states
  }

  /// Whether all tables of this process have the same order: `SWIFT_DETERMINISTIC_HASHING` is set.
  private static func isHashingDeterministic() -> Bool {
    // All there at once, so each has another address.
    let sets = (0..<runs).map { _ in Set(0..<64) }
    return Set(sets.map(Array.init)).count == 1
  }

  // MARK: Messages

  static func differs(_ action: String, _ index: Int, _ one: Any?, _ other: Any?) -> String {
    let (before, after) = (one.map { Rendering($0).lines }, other.map { Rendering($0).lines })
    // Commas move with the order.
    func sorted(_ lines: [String]?) -> [String]? {
      lines?.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }.sorted()
    }
    let cause =
      sorted(before) == sorted(after)
      ? """
      It is the same in another order: the reducer goes through a Set or a Dictionary. Let it sort \
      what it goes through, or keep it in an Array or IdentifiedArray.
      """
      : """
      The reducer takes something from elsewhere than its state and its action: time, randomness and \
      ids must come from '@Dependency', and a Set or Dictionary must be sorted before it is gone \
      through.
      """
    let difference = Rendering.difference(one as Any, other as Any) ?? "  (both show the same)"
    return """
      Handled again, \(action) (action \(index + 1)) gave another state:

      \(difference)

      (- once, + again)

      \(cause)
      """
  }

  static func undecodable(_ failure: DecodingFailure) -> String {
    """
    The state cannot be decoded from its own encoding: \(failure). Mend its 'init(from:)', or let \
    '@Mirrored' write it.
    """
  }

  static var deterministic: String {
    """
    All sets of this process have the same order, so nothing can be found out. Run the tests without \
    SWIFT_DETERMINISTIC_HASHING.
    """
  }
}

/// Takes up memory so that what is allocated afterwards lies elsewhere than in earlier runs.
private struct Ballast {
  private let blocks: [[UInt8]]

  init() {
    // The allocator serves small sizes from lists of their own, in steps of 16 bytes, and a run gives
    // back several of a size.
    let small = stride(from: 16, through: 2_048, by: 16).flatMap { repeatElement($0, count: 8) }
    blocks = (small + (12...20).map { 1 << $0 }).map { [UInt8](repeating: 0, count: $0) }
  }
}
