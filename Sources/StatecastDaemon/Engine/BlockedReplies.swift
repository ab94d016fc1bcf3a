internal import SyncProtocol

/// Replies to peers that do not read: kept in order, bounded, and tried again.
///
/// A ROUTER tells that a peer's queue is full, and never when it is not any more (libzmq's POLLOUT
/// stays set), so the shell tries again on a timer. What is over the bound is dropped: the client
/// asks again, and the outcome is still there.
struct BlockedReplies {
  /// A reply on its way.
  struct Pending {
    var route: Route
    var header: [UInt8]
    var body: [UInt8]
    var byteCount: Int { header.count + body.count }
  }

  /// Bytes kept for one peer.
  let bytesPerPeer: Int
  /// How many replies were dropped since the start, for `stats`.
  private(set) var dropped = 0

  private var queues: [[UInt8]: (pending: [Pending], bytes: Int)] = [:]

  init(bytesPerPeer: Int) { self.bytesPerPeer = bytesPerPeer }

  var isEmpty: Bool { queues.isEmpty }

  /// Whether replies to this peer wait already: a new one must go behind them.
  func isBlocked(_ route: Route) -> Bool {
    !queues.isEmpty && route.envelope.first.map { queues[$0] != nil } == true
  }

  /// Keeps a reply for later; drops it when the peer's share is used up.
  mutating func keep(_ reply: Pending) {
    guard let peer = reply.route.envelope.first else { return }
    let bytes = queues[peer]?.bytes ?? 0
    guard bytes + reply.byteCount <= bytesPerPeer else {
      dropped += 1
      return
    }
    queues[peer, default: ([], 0)].pending.append(reply)
    queues[peer, default: ([], 0)].bytes += reply.byteCount
  }

  /// Tries all again, each peer's in order until one is not taken. `send` says whether it is done
  /// with (taken, or its peer is gone).
  mutating func retry(_ send: (Pending) -> Bool) {
    for (peer, queue) in queues {
      let left = queue.pending.drop(while: send)
      queues[peer] = left.isEmpty ? nil : (Array(left), left.reduce(0) { $0 + $1.byteCount })
    }
  }
}
