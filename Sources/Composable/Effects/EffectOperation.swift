/// Where in the tree an operation belongs, and under which ids it can be cancelled.
package struct EffectPlace: Hashable, Sendable {
  package var path: TreePath
  package var keys: [CancelKey]

  package init(path: TreePath = TreePath(), keys: [CancelKey] = []) {
    self.path = path
    self.keys = keys
  }
}

/// What is left of the effects of a commit once its synchronous part is done: what a store starts
/// then, in this order, and a daemon once the commit is durable.
package indirect enum EffectOperation<Action: Sendable>: Sendable {
  /// Starts work.
  case run(EffectWork<Action>, EffectPlace)
  /// Waits; a step of a sequence.
  case wait(EffectWait, EffectPlace)
  /// Sends an action, as a commit of its own; a step of a sequence, or throttled.
  case send(Action, EffectPlace)
  /// Ends the effects that the key reaches.
  case cancel(CancelKey)
  /// Ends the effects of the children at a scope below a place that are gone.
  case prune(TreePath, ScopeID, isPresent: @Sendable (EffectID) -> Bool)
  /// Several, side by side.
  case group([EffectOperation])
  /// Several, each after the end of the one before.
  case sequence([EffectOperation], EffectPlace)
  /// Lets the operations through, or holds them until the window's end.
  case throttle([EffectOperation], EffectPlace, CancelKey, EffectWait, latest: Bool)

  /// Whether it may go on after it was started.
  package var takesTime: Bool {
    switch self {
    case .cancel, .prune: false
    case .group(let operations): operations.contains(where: \.takesTime)
    default: true
    }
  }
}
