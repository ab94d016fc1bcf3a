/// Shows actions and what they changed.
public struct ChangePrinter<State, Action>: Sendable {
  let show: @Sendable (_ action: Action, _ old: State, _ new: State) -> Void

  /// A printer that calls `show`, one action after the other.
  public init(
    _ show: @escaping @Sendable (_ action: Action, _ old: State, _ new: State) -> Void
  ) {
    self.show = show
  }

  /// Prints the action, and the lines of the state that differ.
  public static var standard: ChangePrinter {
    ChangePrinter { print(text($0, $1, $2)) }
  }

  /// Prints the action only: for large states.
  public static var actionsOnly: ChangePrinter {
    ChangePrinter { action, _, _ in print(received(action)) }
  }

  /// What `standard` prints.
  package static func text(_ action: Action, _ old: State, _ new: State) -> String {
    received(action) + "\n" + (Rendering.difference(old, new) ?? "  (no change)")
  }

  private static func received(_ action: Action) -> String {
    (["received action:"] + Rendering(action).lines.map { "  " + $0 }).joined(separator: "\n")
  }
}

/// Shows every action and what it changed; made by `Reducer._printChanges(_:)`.
public struct PrintChanges<Base: Reducer>: Reducer where Base.State: Sendable {
  let base: Base
  let printer: ChangePrinter<Base.State, Base.Action>?

  /// Runs the reducer, and leaves showing for later.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    guard let printer else { return base.reduce(into: &state, action: action) }
    let old = state
    let effect = base.reduce(into: &state, action: action)
    ChangeShow.shared.add { [new = state] in printer.show(action, old, new) }
    return effect
  }
}

extension Reducer where State: Sendable {
  /// Prints every action of this reducer and what it changed, away from the reducer's thread.
  ///
  /// - Parameter printer: what prints; nil prints nothing.
  public func _printChanges(
    _ printer: ChangePrinter<State, Action>? = .standard
  ) -> PrintChanges<Self> {
    PrintChanges(base: self, printer: printer)
  }
}

/// Shows changes one by one in the order of the actions, on a task of its own.
package final class ChangeShow: Sendable {
  /// The one that all printers share, so that what they print is not mixed up.
  package static let shared = ChangeShow()

  /// Changes that wait; further ones are left out until some have been shown.
  private static let limit = 1_000

  private let changes: AsyncStream<@Sendable () -> Void>.Continuation
  private let shower: Task<Void, Never>

  private init() {
    let (stream, changes) = AsyncStream<@Sendable () -> Void>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.limit))
    self.changes = changes
    shower = Task(priority: .background) { for await show in stream { show() } }
  }

  func add(_ show: @escaping @Sendable () -> Void) { changes.yield(show) }

  /// Waits until everything added so far has been shown.
  package func shown() async {
    await withCheckedContinuation { continuation in
      let added = changes.yield { continuation.resume() }
      if case .enqueued = added { return }
      continuation.resume()
    }
  }
}
