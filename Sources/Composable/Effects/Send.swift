/// What an effect sends its actions with.
///
/// Calls after the effect was cancelled are ignored; calls after its body returned are reported.
public struct Send<Action: Sendable>: Sendable {
  private let deliver: @Sendable (Action) -> Void

  /// Sends by calling `deliver`; for tests of effects.
  public init(_ deliver: @escaping @Sendable (Action) -> Void) { self.deliver = deliver }

  /// Sends an action.
  public func callAsFunction(_ action: Action) async { deliver(action) }

  /// Sends an action from a callback, which cannot wait.
  public func enqueue(_ action: Action) { deliver(action) }

  /// Sends child actions into a parent.
  func contramap<Child: Sendable>(
    _ transform: @escaping @Sendable (Child) -> Action
  ) -> Send<Child> {
    let deliver = deliver
    return Send<Child> { deliver(transform($0)) }
  }
}
