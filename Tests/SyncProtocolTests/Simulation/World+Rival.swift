import StateModel
import SyncProtocol

/// A second daemon on the same journal, as where a lock was lost: it commits one action, and is
/// killed. From then on the first one's rows are refused, and it has to step down.
extension World {
  func startRival() {
    guard daemon != nil, !scenario.isMemoryMode, writing == nil, !isFull else { return }
    let mine = epoch
    epoch = Epoch(rawValue: random.next())
    defer { epoch = mine }
    let app = ToyApp(
      state: disk.state, witness: Witness(), wantsStarted: scenario.wantsStarted,
      edition: edition, wantsPresence: scenario.hasCalls)
    editions[epoch] = edition
    truths[epoch] = disk.states
    var rival = AuthorityMachine<ToyApp>(
      app: app, history: disk.open(epoch: epoch, window: scenario.limits.window),
      limits: scenario.limits, durable: true, now: now, seed: random.next())
    let action = ToyAction(kind: .log, id: name())
    trace("a rival, epoch \(epoch.rawValue % 1000), commits \(action.id)")
    let act = Act(
      base: max(rival.published, rival.durableSessions.floor),
      entries: [Act.Numbered(number: 1, entry: Entry(.perform(action: action.bytes)))])
    rival.handle(
      .request(
        Request(
          id: 1, session: SessionID(Bytes16.random(using: &random)), epoch: epoch,
          body: .act(act)), route: Route(envelope: []), peer: World.peer), at: now, date: 0)
    rival.handle(.drained, at: now, date: 0)
    for output in rival.takeOutputs() {
      guard case .append(let row) = output else { continue }
      write(row)
      isFenced = true
    }
  }
}
