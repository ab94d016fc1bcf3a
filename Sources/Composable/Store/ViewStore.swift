public import StateModel

/// What a view holds: a projection of a store's state, and a way to send.
///
/// Made for any store, in this process or remote. Values are delivered only when they differ:
/// those that are mirrored by mirrored identity (a second alert with the same text is another
/// alert), others by `==`.
@dynamicMemberLookup
public final class ViewStore<ViewState, ViewAction: Sendable> {
  /// The present value; within a callback, the value delivered.
  public private(set) var state: ViewState

  private let put: (ViewAction) -> StoreTask
  /// What bindings have set and a reducer elsewhere has not answered; nil where the store runs the
  /// reducer itself.
  let pending: PendingAccess<ViewAction>?
  private let observers = ObserverList<ViewState>()
  private var observation: Observation?

  /// A projection of a store.
  ///
  /// - Parameters:
  ///   - observe: the projection, computed once a commit.
  ///   - send: puts the view's actions into the store's.
  ///   - isDuplicate: whether a new value need not be delivered.
  public init<S: StoreProtocol>(
    _ store: S, observe: @escaping (S.State) -> ViewState,
    send: @escaping (ViewAction) -> S.Action,
    removeDuplicates isDuplicate: @escaping (ViewState, ViewState) -> Bool
  ) {
    state = observe(store.state)
    put = { store.send(send($0)) }
    pending =
      (store as? any OptimisticStore<S.State, S.Action>).map { PendingAccess($0, send: send) }
      ?? (store as? Store<S.State, S.Action>)?.backend.pending?.pullback(send)
    observation = store.observe { [weak self] state in
      guard let self else { return }
      let next = observe(state)
      guard !isDuplicate(self.state, next) else { return }
      self.state = next
      observers.notify(next)
    }
  }

  // Disfavoured, so that `viewStore.$field` is the binding also where it is only read.
  /// A part of the present value.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<ViewState, Value>) -> Value {
    state[keyPath: keyPath]
  }

  /// Sends an action. The task follows what it starts.
  @discardableResult
  public func send(_ action: ViewAction) -> StoreTask { put(action) }

  /// Sends an action, and suspends for as long as `predicate` holds for the state. Cancelling the
  /// waiting task cancels what the action started.
  public func send(
    _ action: ViewAction, while predicate: @escaping (ViewState) -> Bool
  ) async {
    let task = send(action)
    await withTaskCancellationHandler {
      // A mirror shows nothing of the action before it has reached the action's commit.
      await task.shown()
      await suspend(while: predicate)
    } onCancel: {
      task.requestCancellation()
    }
  }

  /// Suspends for as long as `predicate` holds for the state.
  public func suspend(while predicate: @escaping (ViewState) -> Bool) async {
    let (turned, continuation) = AsyncStream<Never>.makeStream()
    let observation = observe { if !predicate($0) { continuation.finish() } }
    for await _ in turned {}
    observation.cancel()
  }

  /// Calls `callback` with the present value at once, then with every one that differs.
  public func observe(_ callback: @escaping (ViewState) -> Void) -> Observation {
    let observation = observers.add(owner: self, callback)
    callback(state)
    return observation
  }

  /// Calls `callback` after every value that differs, and whenever what is pending has changed.
  func observeBindings(_ callback: @escaping () -> Void) -> Observation {
    let values = observers.add(owner: self) { _ in callback() }
    guard let pending else { return values }
    let changes = pending.observe(callback)
    return Observation {
      values.cancel()
      changes.cancel()
    }
  }
}

/// The view store of a reducer's whole state: `ViewStoreOf<Counter>`.
public typealias ViewStoreOf<R: Reducer> = ViewStore<R.State, R.Action>

extension ViewStore where ViewState: Equatable {
  /// A projection of a store; values that are equal are not delivered again.
  public convenience init<S: StoreProtocol>(
    _ store: S, observe: @escaping (S.State) -> ViewState,
    send: @escaping (ViewAction) -> S.Action
  ) {
    self.init(store, observe: observe, send: send, removeDuplicates: ==)
  }

  /// A projection of a store with the same actions.
  public convenience init<S: StoreProtocol>(
    _ store: S, observe: @escaping (S.State) -> ViewState
  ) where S.Action == ViewAction {
    self.init(store, observe: observe, send: { $0 })
  }
}

extension ViewStore where ViewState: Mirrored {
  /// A projection of a store; values that would be mirrored the same are not delivered again.
  public convenience init<S: StoreProtocol>(
    _ store: S, observe: @escaping (S.State) -> ViewState,
    send: @escaping (ViewAction) -> S.Action
  ) {
    self.init(store, observe: observe, send: send) { $0.isIdentical(to: $1) }
  }

  /// A projection of a store with the same actions.
  public convenience init<S: StoreProtocol>(
    _ store: S, observe: @escaping (S.State) -> ViewState
  ) where S.Action == ViewAction {
    self.init(store, observe: observe, send: { $0 })
  }
}
