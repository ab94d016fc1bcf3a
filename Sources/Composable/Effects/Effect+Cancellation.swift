extension Effect {
  /// This effect under a name, so that it can be cancelled.
  ///
  /// Several effects may share an id. An id belongs to the store and to the place in the tree of
  /// reducers: a parent's `cancel` reaches its children's effects, a child's never its parent's.
  ///
  /// - Parameter cancelInFlight: whether those already running under the id are cancelled first.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    isNone && !cancelInFlight
      ? self : Effect(.cancellable(node, id: EffectID(id), cancelInFlight: cancelInFlight))
  }

  /// This effect under a type's name.
  public func cancellable(id: Any.Type, cancelInFlight: Bool = false) -> Effect {
    cancellable(id: ObjectIdentifier(id), cancelInFlight: cancelInFlight)
  }

  /// Cancels what runs under an id, here and further in.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel(EffectID(id)))
  }

  /// Cancels what runs under a type's name.
  public static func cancel(id: Any.Type) -> Effect { cancel(id: ObjectIdentifier(id)) }

  /// Cancels what runs under any of the ids.
  public static func cancel(ids: [some Hashable & Sendable]) -> Effect {
    .merge(ids.map { .cancel(id: $0) })
  }
}
