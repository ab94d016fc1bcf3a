/// What a client waits for beside its actions: calls it has made, and the ends of what its actions
/// started in the daemon. Each ends exactly once, whatever becomes of messages, owners and daemons.
struct CallDesk: Sendable {
  /// Where a request of a call or a task stands.
  enum Stage: Equatable, Sendable {
    /// To be sent (again).
    case due
    /// A request is out.
    case asked
    /// The daemon has it: the end comes as mail.
    case accepted
  }

  struct Call: Sendable {
    var token: CallToken
    /// Given when it is sent first; 0 before.
    var id: UInt64 = 0
    var handle: HandleName
    var argument: [UInt8]
    var patience: Duration
    /// When the client waits no longer, whatever the daemon says.
    var deadline: Moment
    var stage = Stage.due
    /// The app does not want it any more.
    var isCancelled = false
  }

  /// Everything that a commit of this client's started.
  struct Watch: Sendable {
    var token: ActionToken
    var commit: CommitNumber
    var stage = Stage.due
    /// How far the request that ends it is, when the app wants it to end.
    var cancelling: Stage?
    /// It has ended, and the mirrors may not show it yet.
    var end: CallEnd?
  }

  var calls: [Call] = []
  var watches: [Watch] = []
  /// Actions whose effects are to be followed once they are done; those to be cancelled at once.
  var followed: [ActionToken: Bool] = [:]
  /// Rises as long as the client lives, whatever becomes of its sessions.
  private var lastID: UInt64 = 0
  var attempts: Backoff
  var notBefore: Moment?

  init(timing: Timing) {
    attempts = Backoff(first: timing.refusalRetry, longest: timing.longestRetry)
  }

  var isEmpty: Bool { calls.isEmpty && watches.isEmpty }
  /// Whether nobody waits for anything of it.
  var isUnused: Bool { isEmpty && followed.isEmpty }

  /// Whether a request is due.
  var isDue: Bool {
    calls.contains { $0.stage == .due }
      || watches.contains { $0.stage == .due || $0.cancelling == .due }
  }

  /// The next request, if one is due.
  mutating func next() -> (RequestPurpose, Request.Body)? {
    for index in calls.indices where calls[index].stage == .due {
      if calls[index].id == 0 {
        lastID += 1
        calls[index].id = lastID
      }
      let call = calls[index]
      calls[index].stage = .asked
      if call.isCancelled { return (.cancelCall(call.token), .cancel(.call(call.id))) }
      return (
        .call(call.token),
        .call(
          SyncProtocol.Call(
            id: call.id, handle: call.handle, argument: call.argument, deadline: call.patience))
      )
    }
    for index in watches.indices {
      let watch = watches[index]
      if watch.stage == .due {
        watches[index].stage = .asked
        return (.watch(watch.token), .wait(watch.commit))
      }
      if watch.cancelling == .due {
        watches[index].cancelling = .asked
        return (.cancelTask(watch.token), .cancel(.commit(watch.commit)))
      }
    }
    return nil
  }

  /// A request was not answered, or refused for the moment: again.
  mutating func again(_ purpose: RequestPurpose) {
    switch purpose {
    case .call(let token), .cancelCall(let token):
      for index in calls.indices where calls[index].token == token { calls[index].stage = .due }
    case .watch(let token):
      for index in watches.indices where watches[index].token == token {
        watches[index].stage = .due
      }
    case .cancelTask(let token):
      for index in watches.indices where watches[index].token == token {
        watches[index].cancelling = .due
      }
    default: break
    }
  }

  /// The earliest moment at which a call is given up here.
  var nextDeadline: Moment? { calls.map(\.deadline).min() }
}

/// The calls that a client was given and has not answered, and those that it has had.
struct InvocationDesk: Sendable {
  struct Answer: Sendable {
    var back: CallReturn
    var stage = CallDesk.Stage.due
  }

  /// Being worked on by the app.
  private(set) var running: [CallKey] = []
  var answers: [Answer] = []
  /// Those that were ever begun in this run of the daemon: none is begun twice.
  private var begun: Set<CallKey> = []
  private var order: [CallKey] = []

  /// How many are remembered: as many as a daemon keeps mail for, several times over.
  private static let remembered = 1024

  /// A call has come: whether it is to be done.
  mutating func begin(_ key: CallKey) -> Bool {
    guard begun.insert(key).inserted else { return false }
    order.append(key)
    if order.count > Self.remembered { begun.remove(order.removeFirst()) }
    running.append(key)
    return true
  }

  /// The app has an answer; it is given back unless nobody wants it any more.
  mutating func answer(_ key: CallKey, _ end: CallEnd) {
    guard let index = running.firstIndex(of: key) else { return }
    running.remove(at: index)
    answers.append(Answer(back: CallReturn(key: key, end: end)))
  }

  /// Nobody waits for it any more; whether the app is at it.
  mutating func cancel(_ key: CallKey) -> Bool {
    answers.removeAll { $0.back.key == key }
    guard let index = running.firstIndex(of: key) else { return false }
    running.remove(at: index)
    return true
  }

  /// Nobody waits for any of it; what the app is at.
  mutating func cancelAll() -> [CallKey] {
    defer {
      running = []
      answers = []
    }
    return running
  }

  /// Another run of the daemon: its calls are others.
  mutating func forget() {
    begun = []
    order = []
  }
}

/// A call of one client, until it has ended.
package struct CallToken: Hashable, Sendable {
  package var rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}
