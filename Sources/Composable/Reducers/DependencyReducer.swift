/// A reducer under which a dependency is set; made by `Reducer.dependency(_:_:)`.
public struct DependencyReducer<Base: Reducer>: Reducer {
  let base: Base
  let update: (inout DependencyValues) -> Void

  /// Runs the reducer with the changed dependencies.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    var values = DependencyValues.current
    update(&values)
    return DependencyValues.$current.withValue(values) {
      base.reduce(into: &state, action: action)
    }
  }
}

extension Reducer {
  /// Sets a dependency for this reducer and what it is made of; the nearest one wins.
  public func dependency<Value: Sendable>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>, _ value: Value
  ) -> DependencyReducer<Self> {
    DependencyReducer(base: self) { $0[keyPath: keyPath] = value }
  }

  /// Changes a dependency for this reducer and what it is made of.
  public func transformDependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    _ transform: @escaping (inout Value) -> Void
  ) -> DependencyReducer<Self> {
    DependencyReducer(base: self) { transform(&$0[keyPath: keyPath]) }
  }
}
