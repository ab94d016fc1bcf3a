internal import ZeroMQ

/// Those who connect too often or subscribe without end: hangs them up, counts them, and has the log
/// told.
struct Crowd {
  private var notice = CrowdNotice()
  /// Connections that were hung up by `boundSubscriptions`.
  private var endlessSubscribers = 0

  /// Each topic that is subscribed costs libzmq memory until the connection ends: one that subscribes
  /// without end is hung up, and has to begin anew.
  mutating func boundSubscriptions(of descriptor: Int32, on sockets: DaemonSockets) {
    let count = sockets.publisherMonitor.count(descriptor)
    guard count > DaemonSockets.subscriptionsOfConnection else { return }
    // What it had sent before still comes: it is one connection all the same.
    if count == DaemonSockets.subscriptionsOfConnection + 1 { endlessSubscribers += 1 }
    sockets.publisher.disconnectPeer(descriptor: descriptor)
  }

  /// Takes what the sockets' monitors tell, and turns away those beyond the limit.
  ///
  /// - Returns: a line for the log, where there is something new to tell.
  mutating func countConnections(on sockets: DaemonSockets, now: Int64) -> String? {
    _ = try? sockets.routerMonitor.drain(limit: sockets.connectionLimit)
    _ = try? sockets.publisherMonitor.drain(limit: sockets.connectionLimit)
    let count = CrowdNotice.Count(
      thrownOut: sockets.routerMonitor.thrownOut + sockets.publisherMonitor.thrownOut,
      refused: sockets.routerMonitor.refused + sockets.publisherMonitor.refused,
      withoutDescriptor: sockets.routerMonitor.lackedDescriptors
        + sockets.publisherMonitor.lackedDescriptors,
      subscribing: endlessSubscribers)
    return notice.line(count, limit: sockets.connectionLimit, now: now)
  }
}
