import SyncProtocol

/// The connection between a client's SUB and the daemon's XPUB, with what libzmq does to it:
/// subscriptions travel as messages in their order, are sent again in byte order when the link is
/// made anew, and nothing is told of what is lost with a link.
struct SimulatedLink {
  struct Change {
    var isSubscription: Bool
    var topic: [UInt8]
  }

  /// What the SUB holds; with how many subscriptions each.
  private(set) var wanted: [[UInt8]: Int] = [:]
  private(set) var isConnected = false
  /// Nothing comes through, and neither end knows.
  var isHalfOpen = false
  private(set) var upstream: [Change] = []
  private(set) var downstream: [Broadcast] = []
  /// What XPUB has of this pipe.
  private(set) var live: Set<[UInt8]> = []

  mutating func subscribe(_ topic: [UInt8]) {
    wanted[topic, default: 0] += 1
    if isConnected { upstream.append(Change(isSubscription: true, topic: topic)) }
  }

  mutating func unsubscribe(_ topic: [UInt8]) {
    guard let count = wanted[topic] else { return }
    wanted[topic] = count > 1 ? count - 1 : nil
    if isConnected, count == 1 { upstream.append(Change(isSubscription: false, topic: topic)) }
  }

  mutating func connect() {
    isConnected = true
    isHalfOpen = false
    upstream = wanted.keys.sorted { $0.lexicographicallyPrecedes($1) }.map {
      Change(isSubscription: true, topic: $0)
    }
  }

  /// The link is cut: the first `kept` messages on their way down had arrived. What XPUB forgets.
  mutating func cut(keeping kept: Int) -> Set<[UInt8]> {
    isConnected = false
    isHalfOpen = false
    upstream = []
    downstream.removeLast(downstream.count - min(kept, downstream.count))
    defer { live = [] }
    return live
  }

  /// The next change of subscriptions reaches XPUB.
  mutating func nextUp() -> Change? {
    guard isConnected, !isHalfOpen, !upstream.isEmpty else { return nil }
    let change = upstream.removeFirst()
    if change.isSubscription { live.insert(change.topic) } else { live.remove(change.topic) }
    return change
  }

  /// The next message reaches the client; also after the link was cut, if it had arrived.
  mutating func nextDown() -> Broadcast? {
    guard !isHalfOpen, !downstream.isEmpty else { return nil }
    return downstream.removeFirst()
  }

  mutating func publish(_ broadcast: Broadcast, topic: [UInt8]) {
    if isConnected, live.contains(topic) { downstream.append(broadcast) }
  }

  var isQuiet: Bool { upstream.isEmpty && downstream.isEmpty }
}

extension Broadcast {
  /// The topic it goes out on.
  var topicBytes: [UInt8] {
    switch self {
    case .publication(let publication): publication.topic.bytes
    case .beat: Topic.daemonBeat.bytes
    case .ring(let ring): Topic(doorbell: ring.nonce).bytes
    }
  }
}
