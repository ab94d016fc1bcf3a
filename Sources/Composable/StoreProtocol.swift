/// The face that every store shares: view code written for it is the same text whether the reducer
/// runs in this process (`Store`) or in a daemon (`RemoteStore`).
///
/// Not `Sendable`: a store lives in the isolation that made it.
public protocol StoreProtocol<State, Action>: AnyObject {
  /// What is observed.
  associatedtype State
  /// What can be sent.
  associatedtype Action: Sendable

  /// The present value. A remote store's is its mirror: see `isStale`.
  var state: State { get }

  /// Sends an action. The task follows what it started.
  @discardableResult func send(_ action: Action) -> StoreTask

  /// Calls `observer` after every commit (a remote store: every publication), in subscription
  /// order, until the observation is cancelled or released.
  func observe(_ observer: @escaping (State) -> Void) -> Observation
}
