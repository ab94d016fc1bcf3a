/// Runs a feature in this process: holds its state, handles its actions, starts its effects.
///
/// Not `Sendable`: it is bound to the actor that made it, and its effects' actions come back there.
/// In the place of a `RemoteStore` the same view code works against either.
///
///     let store = Store(initialState: Counter.State()) { Counter() }
///     store.send(.incrementButtonTapped)
@dynamicMemberLookup
public final class Store<State, Action: Sendable>: StoreProtocol {
  let backend: StoreBackend<State, Action>

  init(backend: StoreBackend<State, Action>) { self.backend = backend }

  /// A store that runs a reducer.
  ///
  /// - Parameters:
  ///   - initialState: what the state is at first.
  ///   - isolation: the actor that the store belongs to; the one that makes it.
  ///   - reducer: the feature.
  ///   - prepareDependencies: changes what the feature takes from outside.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State, isolation: isolated any Actor = #isolation,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil
  ) {
    var dependencies = DependencyValues.current.forEffect
    prepareDependencies?(&dependencies)
    let (state, feature) = DependencyValues.$current.withValue(dependencies) {
      (initialState(), reducer())
    }
    backend = RootBackend(
      state: state, reducer: feature, dependencies: dependencies, isolation: isolation)
  }

  /// A store that runs a reducer, as before 1.0 of The Composable Architecture.
  public convenience init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State, reducer: R,
    isolation: isolated any Actor = #isolation,
    prepareDependencies: ((inout DependencyValues) -> Void)? = nil
  ) {
    self.init(
      initialState: initialState(), isolation: isolation, reducer: { reducer },
      withDependencies: prepareDependencies)
  }

  /// The state as of the last commit; of a child that is gone, the last that is known.
  public var state: State { backend.state }

  /// A part of the state: `store.count`.
  public subscript<Part>(dynamicMember keyPath: KeyPath<State, Part>) -> Part {
    state[keyPath: keyPath]
  }

  /// Handles an action; from within an observer or reducer, after the commit under way.
  @discardableResult
  public func send(_ action: Action) -> StoreTask { backend.send(action) }

  /// Calls `observer` after every commit, in subscription order.
  public func observe(_ observer: @escaping (State) -> Void) -> Observation {
    backend.observe(observer)
  }
}

/// The store of a reducer: `StoreOf<Counter>`.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>
