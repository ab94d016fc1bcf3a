internal import Synchronization
internal import ZeroMQ

/// The one connection of this process to a daemon that all its shared values use, for as long as
/// there are any.
final class SharedConnection: Sendable {
  typealias Outcome = Result<DaemonConnection, ConnectionFailure>

  private enum State {
    case opening([@Sendable (Outcome) -> Void])
    case done(Outcome)
  }

  private struct Weak: Sendable { weak let connection: SharedConnection? }

  private static let all = Mutex<[String: Weak]>([:])

  private let state = Mutex(State.opening([]))
  /// The connection to a daemon, opened by the first who asks.
  static func to(_ options: DaemonConnection.Options) -> SharedConnection {
    let key = "\(options.endpoints.requests) \(options.endpoints.publications)"
    return all.withLock { all in
      if let present = all[key]?.connection { return present }
      let connection = SharedConnection()
      all[key] = Weak(connection: connection)
      Task { [weak connection] in
        let outcome: Outcome
        do throws(ConnectionFailure) {
          outcome = .success(try await DaemonConnection(options))
        } catch {
          outcome = .failure(error)
        }
        connection?.resolve(outcome)
      }
      return connection
    }
  }

  private func resolve(_ outcome: Outcome) {
    let waiting = state.withLock { state in
      guard case .opening(let waiting) = state else { return [@Sendable (Outcome) -> Void]() }
      state = .done(outcome)
      return waiting
    }
    for body in waiting { body(outcome) }
  }

  /// Calls when the connection is open, or cannot be.
  func use(_ body: @escaping @Sendable (Outcome) -> Void) {
    let outcome = state.withLock { state -> Outcome? in
      switch state {
      case .done(let outcome): return outcome
      case .opening(let waiting):
        state = .opening(waiting + [body])
        return nil
      }
    }
    if let outcome { body(outcome) }
  }
}
