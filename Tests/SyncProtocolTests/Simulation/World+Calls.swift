import StateModel
import SyncProtocol

/// Calls of handles and waits for tasks, in the histories that have them: every client offers one
/// handle, anybody calls any, owners die at work. Each call is done at most once, and each call and
/// wait ends exactly once.
extension World {
  struct SimulatedCall {
    var caller: Int
    var life: Int
    var handle: HandleName
    /// How often its owner was told to do it.
    var starts = 0
    var end: CallEnd?
  }

  static let handle = "h"

  /// A deadline that no history reaches: such a call ends for another reason, or never.
  private static let far = Duration.seconds(3600)

  func stepCalls() {
    let index = below(clients.count)
    switch below(10) {
    case ..<4: call(from: index)
    case ..<7: finishInvocation(of: index)
    case ..<8:
      let waiting = calls.filter { isWaiting($0.value, index) }.keys.sorted()
      guard !waiting.isEmpty else { return }
      let id = waiting[below(waiting.count)]
      trace("client \(index) cancels call \(id)")
      tell(index, .cancelCall(CallToken(rawValue: id)))
    case ..<9:
      guard let token = clients[index].followed.sorted(by: { $0.rawValue < $1.rawValue }).first
      else { return }
      trace("client \(index) cancels what \(token.rawValue) started")
      clients[index].effectful.remove(token)
      tell(index, .cancelTask(token))
    default: pass(.milliseconds(below(300)))
    }
  }

  private func isWaiting(_ call: SimulatedCall, _ index: Int) -> Bool {
    call.caller == index && call.life == clients[index].life && call.end == nil
  }

  private func call(from index: Int) {
    guard calls.values.filter({ isWaiting($0, index) }).count < 4 else { return }
    let target = below(clients.count)
    if let owner = clients[target].machine.publicNumber, let epoch = clients[target].machine.epoch {
      let handle = HandleName(owner: owner, epoch: epoch, name: Self.handle)
      handles.append(handle)
      owners[handle] = (target, clients[target].life)
    }
    guard !handles.isEmpty else { return }
    // Now and then one that was seen long ago.
    let handle = below(5) == 0 ? handles[below(handles.count)] : handles[handles.count - 1]
    let id = name()
    calls[id] = SimulatedCall(caller: index, life: clients[index].life, handle: handle)
    trace("client \(index) makes call \(id) of client \(handle.owner)'s handle")
    tell(
      index,
      .call(
        CallToken(rawValue: id), handle, argument: id.encoded(),
        deadline: below(3) == 0 ? .seconds(1) : Self.far))
  }

  private func finishInvocation(of index: Int) {
    let keys = clients[index].invocations.keys.sorted { ($0.caller, $0.id) < ($1.caller, $1.id) }
    guard !keys.isEmpty else { return }
    finish(keys[below(keys.count)], of: index)
  }

  private func finish(_ key: CallKey, of index: Int) {
    guard let id = clients[index].invocations.removeValue(forKey: key) else { return }
    trace("client \(index) has done call \(id)")
    tell(index, .giveBack(key, CallEnd(code: .ok, result: id.encoded())))
  }

  /// Everybody finishes what it was called for.
  func finishInvocations() {
    for index in clients.indices {
      let keys = clients[index].invocations.keys.sorted { ($0.caller, $0.id) < ($1.caller, $1.id) }
      for key in keys { finish(key, of: index) }
    }
  }

  // MARK: On the wire

  /// A call as a request names it.
  struct WiredCall: Hashable {
    var session: SessionID
    var id: UInt64
  }

  /// Remembers which call a request makes.
  func noteCall(in request: Request) {
    guard case .call(let call) = request.body, let name = try? UInt64(encoded: call.argument) else {
      return
    }
    wiredCalls[WiredCall(session: request.session, id: call.id)] = name
  }

  /// A request comes to the daemon. Whether it cancels a call that has not come.
  func noteArrival(of request: Request) -> Bool {
    switch request.body {
    case .call(let call):
      arrivedCalls.insert(WiredCall(session: request.session, id: call.id))
      return false
    case .cancel(.call(let id)):
      return !arrivedCalls.contains(WiredCall(session: request.session, id: id))
    default: return false
    }
  }

  /// The daemon has answered such a request: if it took it, the call is never done.
  func noteCancelled(by request: Request) {
    guard case .cancel(.call(let id)) = request.body,
      replies.last?.content.header.request == request.id, replies.last?.content.header.code == .ok,
      let name = wiredCalls[WiredCall(session: request.session, id: id)]
    else { return }
    burntCalls.insert(name)
  }

  // MARK: What is judged

  func judgeCalls(_ output: ClientOutput, of index: Int) {
    switch output {
    case .invoke(let key, _, let argument, _): begin(key, argument, index)
    case .cancelInvoked(let key): clients[index].invocations[key] = nil
    case .called(let token, let end): self.end(token.rawValue, end, index)
    case .ended(let token, let end): self.end(token, end, index)
    default: break
    }
  }

  private func begin(_ key: CallKey, _ argument: [UInt8], _ index: Int) {
    guard let id = try? UInt64(encoded: argument), let call = calls[id] else {
      return complain("client \(index) is called with something that nobody sent")
    }
    calls[id]?.starts += 1
    clients[index].invocations[key] = id
    coverage.calls += 1
    if call.starts > 0 { complain("call \(id) is done twice") }
    if burntCalls.contains(id) { complain("call \(id) was cancelled before it came, and is done") }
    if let owner = owners[call.handle], owner != (index, clients[index].life) {
      complain("call \(id) of client \(owner.index)'s handle is given to client \(index)")
    }
    if let end = call.end, end.code == .busy || end.text.hasSuffix("is not offered any more") {
      complain("call \(id) was refused (\(end.code.rawValue)), and is done")
    }
  }

  private func end(_ id: UInt64, _ end: CallEnd, _ index: Int) {
    guard let call = calls[id], call.caller == index, call.life == clients[index].life else {
      return complain("client \(index) is told the end of a call that is not its own")
    }
    if call.end != nil { complain("call \(id) ends twice") }
    calls[id]?.end = end
    if end.code == .ok {
      coverage.returned += 1
      if call.starts != 1 { complain("call \(id) has a result and was done \(call.starts) times") }
      if end.result != id.encoded() { complain("call \(id) has another call's result") }
    } else if end.code == .gone {
      coverage.gone += 1
    }
  }

  private func end(_ token: ActionToken, _ end: CallEnd, _ index: Int) {
    if clients[index].followed.remove(token) == nil {
      complain("client \(index) is told twice that what \(token.rawValue) started has ended")
    }
    guard end.code == .ok, clients[index].effectful.contains(token), !historyWasLost else { return }
    coverage.ended += 1
    let sent = token.rawValue | ToyApp.effectBit
    if disk.state.applied.contains(token.rawValue), !disk.state.applied.contains(sent) {
      complain("what \(token.rawValue) started is said to have ended, and has not")
    }
    for view in clients[index].views where view.follows && view.projection.shows(sent) {
      guard !clients[index].machine.isStale(view.token),
        let replica = clients[index].replica(of: view),
        disk.state.applied.contains(sent), !replica.value.contains(sent)
      else { continue }
      complain("what \(token.rawValue) started has ended, and \(view.projection) does not show it")
    }
  }

  /// A call or a wait that has not ended; nil when all have.
  var unendedCall: String? {
    for (id, call) in calls.sorted(by: { $0.key < $1.key }) where isWaiting(call, call.caller) {
      return "call \(id) of client \(call.caller) never ends"
    }
    for (index, client) in clients.enumerated() where !client.followed.isEmpty {
      return "client \(index) waits for ever for \(client.followed.map(\.rawValue).sorted())"
    }
    return nil
  }
}
