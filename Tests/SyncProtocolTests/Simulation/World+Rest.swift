import StateModel
import SyncProtocol

/// The quiet end of a history: no more faults, and everything must come to rest by itself.
extension World {
  /// How long rest may take, in the world's time: longer than the longest time-outs in a row.
  private static let patience = Duration.seconds(180)
  private static let mostRounds = 20_000

  func comeToRest() {
    trace("quiet")
    isFaulty = false
    isFull = false
    // Of two daemons on one journal the first must not stay: it learns of the other when it writes.
    if isFenced { crashDaemon() }
    let deadline = now + Self.patience
    for index in clients.indices {
      clients[index].link.isHalfOpen = false
      tell(index, .open)
    }
    for _ in 0..<Self.mostRounds {
      guard complaint == nil else { return }
      if daemon == nil { startDaemon() }
      finishInvocations()
      settleEverything()
      if complaint != nil || isAtRest { break }
      guard now < deadline, let next = nextDeadline else { break }
      now = max(now, next)
      tickAll()
    }
    if complaint == nil { judgeRest() }
  }

  /// Delivers until nothing is under way.
  private func settleEverything() {
    var wasBusy = true
    var rounds = 0
    while wasBusy, complaint == nil {
      wasBusy = false
      rounds += 1
      if rounds > 2_000 { return complain("the machines answer each other without end") }
      for index in clients.indices {
        if !clients[index].link.isConnected, daemon != nil { clients[index].link.connect() }
        while !clients[index].link.upstream.isEmpty, daemon != nil {
          deliverUp(index)
          wasBusy = true
        }
      }
      while !requests.isEmpty {
        deliverRequest(0)
        wasBusy = true
      }
      while !effects.isEmpty, daemon != nil {
        sendEffect()
        wasBusy = true
      }
      if !background.isEmpty, daemon != nil {
        // It takes its time, and everything else goes on.
        if below(6) == 0 { finishBackground() }
        wasBusy = true
      }
      tellDaemon(.drained)
      if writing != nil {
        finishWriting()
        wasBusy = true
      }
      while !replies.isEmpty {
        // Several chunks are under way at a time.
        let overtakes = if case .chunk = replies[0].content.body { true } else { false }
        deliverReply(overtakes ? below(min(replies.count, scenario.reordering)) : 0)
        wasBusy = true
      }
      for index in clients.indices {
        while !clients[index].link.downstream.isEmpty {
          deliverDown(index)
          wasBusy = true
        }
      }
    }
  }

  private var nextDeadline: Moment? {
    ([daemon?.nextDeadline] + clients.map { $0.machine.nextDeadline }).compactMap { $0 }.min()
  }

  /// Nothing is unresolved, and every mirror is fresh and shows what is durable.
  private var isAtRest: Bool { unrest == nil }

  /// What is still amiss; nil when all is at rest.
  var unrest: String? {
    guard daemon != nil else { return "the daemon is not up" }
    if let unendedCall { return unendedCall }
    if let unendedSet { return unendedSet }
    for (index, client) in clients.enumerated() {
      if client.machine.unresolved > 0 {
        return "client \(index) is stuck with \(client.machine.unresolved) actions"
      }
      if !client.unresolved.isEmpty {
        return "client \(index) was never told of \(client.unresolved.map(\.rawValue))"
      }
      if client.machine.unreached > 0 || !client.unreached.isEmpty {
        return "client \(index) waits for ever to read \(client.unreached.map(\.rawValue))"
      }
      if !client.questions.isEmpty { return "client \(index) has unanswered questions" }
      if client.machine.epoch != epoch { return "client \(index) has not joined this epoch" }
      for view in client.views {
        guard let replica = client.replica(of: view) else { return "a replica is missing" }
        if view.follows {
          if let stale = client.machine.staleness(of: view.token) {
            return "client \(index): \(view.projection) is still stale: \(stale.reason)"
          }
          if replica.value != view.projection.project(disk.state, edition) {
            return "client \(index): \(view.projection) differs and is not marked stale"
          }
        } else if client.machine.position(of: view.token) == nil {
          return "client \(index): \(view.projection) was never fetched"
        }
      }
    }
    return nil
  }
}
