/// What a reducer wants to happen besides the change of state.
///
/// A value that describes the work: the store that runs the reducer starts it, a daemon only once
/// the commit that made it is durable.
public struct Effect<Action: Sendable>: Sendable {
  /// The description. Reducers never look into it; stores and tests do.
  package enum Node: Sendable {
    /// Nothing.
    case none
    /// An action that joins the drain under way.
    case send(Action)
    /// The commit is void.
    case reject(Rejection)
    /// Work that may send any number of actions.
    case run(EffectWork<Action>)
    /// Nothing for a while: the waiting part of a debounce.
    case wait(EffectWait)
    /// All, side by side.
    case merge([Node])
    /// All, each after the end of the one before.
    case concatenate([Node])
    /// Ends the effects that run under an id here or further in.
    case cancel(EffectID)
    /// Ends the effects of the children at a scope that are gone.
    case prune(ScopeID, isPresent: @Sendable (EffectID) -> Bool)
    /// An effect of a child.
    indirect case child(ScopeID, Node)
    /// An effect that can be cancelled by an id.
    indirect case cancellable(Node, id: EffectID, cancelInFlight: Bool)
    /// An effect that is let through at most once a window.
    indirect case throttle(Node, id: EffectID, window: EffectWait, latest: Bool)
  }

  package var node: Node

  package init(_ node: Node) { self.node = node }

  /// Nothing.
  public static var none: Effect { Effect(.none) }

  /// An action that is handled in the same drain, after those already waiting, and is part of the
  /// same commit.
  public static func send(_ action: Action) -> Effect { Effect(.send(action)) }

  /// Whether nothing is to happen. For what the daemon compiles with an app.
  public var isNothing: Bool { isNone }

  /// Whether there is nothing to do.
  package var isNone: Bool {
    if case .none = node { true } else { false }
  }
}

/// The name that effects had before 1.0 of The Composable Architecture.
public typealias EffectTask<Action: Sendable> = Effect<Action>

/// The effects of a reducer: `EffectOf<Feature>`.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

extension Effect {
  /// All effects, side by side.
  public static func merge(_ effects: Effect...) -> Effect { merge(effects) }

  /// All effects, side by side.
  public static func merge(_ effects: some Sequence<Effect>) -> Effect {
    collect(effects, into: Node.merge)
  }

  /// This effect and another, side by side.
  public func merge(with other: Effect) -> Effect {
    switch (node, other.node) {
    case (.none, _): other
    case (_, .none): self
    case (.merge(let mine), let node): Effect(.merge(mine + [node]))
    default: Effect(.merge([node, other.node]))
    }
  }

  /// All effects, each started after the end of the one before.
  public static func concatenate(_ effects: Effect...) -> Effect { concatenate(effects) }

  /// All effects, each started after the end of the one before.
  public static func concatenate(_ effects: some Sequence<Effect>) -> Effect {
    collect(effects, into: Node.concatenate)
  }

  /// This effect, and after its end another.
  public func concatenate(with other: Effect) -> Effect { .concatenate(self, other) }

  private static func collect(
    _ effects: some Sequence<Effect>, into make: ([Node]) -> Node
  ) -> Effect {
    let nodes = effects.lazy.filter { !$0.isNone }.map(\.node)
    let all = Array(nodes)
    return all.count > 1 ? Effect(make(all)) : Effect(all.first ?? .none)
  }

  /// The same effect with every action changed; how a parent takes up a child's.
  public func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Mapped
  ) -> Effect<Mapped> {
    Effect<Mapped>(node.map(transform))
  }

  /// This effect as one of the child at `scope`.
  package func inChild(_ scope: ScopeID) -> Effect {
    isNone ? self : Effect(.child(scope, node))
  }
}

extension Effect.Node {
  func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Mapped
  ) -> Effect<Mapped>.Node {
    switch self {
    case .none: .none
    case .send(let action): .send(transform(action))
    case .reject(let rejection): .reject(rejection)
    case .run(let work): .run(work.map(transform))
    case .wait(let wait): .wait(wait)
    case .merge(let nodes): .merge(nodes.map { $0.map(transform) })
    case .concatenate(let nodes): .concatenate(nodes.map { $0.map(transform) })
    case .cancel(let id): .cancel(id)
    case .prune(let scope, let isPresent): .prune(scope, isPresent: isPresent)
    case .child(let scope, let node): .child(scope, node.map(transform))
    case .cancellable(let node, let id, let cancelInFlight):
      .cancellable(node.map(transform), id: id, cancelInFlight: cancelInFlight)
    case .throttle(let node, let id, let window, let latest):
      .throttle(node.map(transform), id: id, window: window, latest: latest)
    }
  }
}
