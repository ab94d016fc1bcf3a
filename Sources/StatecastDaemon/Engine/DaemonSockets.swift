internal import SyncProtocol
internal import ZeroMQ

/// The daemon's two sockets, bound: requests come to one, publications leave by the other.
package final class DaemonSockets {
  var router: Socket
  var publisher: Socket
  /// libzmq aborts the process when no descriptor is left for an ipc connection: they are counted,
  /// and newcomers beyond the limit thrown out, so that those who stand notice nothing.
  var routerMonitor: Monitor
  var publisherMonitor: Monitor
  let connectionLimit: Int

  init(
    _ settings: HostSettings, _ peers: PeerPolicy, in context: Context
  ) throws(ZeroMQError) {
    router = try Socket(
      .router, in: context,
      options: Self.shared(settings, peers) {
        $0.routerMandatory = true
        $0.sendHighWater = 1000
        $0.receiveHighWater = 10_000
        // Above the protocol's limit, so that `too-large` can be answered.
        $0.maximumFrame = Int64(settings.limits.frame)
      })
    publisher = try Socket(
      .extendedPublish, in: context,
      options: Self.shared(settings, peers) {
        $0.xpubVerbose = true
        $0.sendHighWater = settings.publicationHighWater
        // Subscriptions are all that a client sends here.
        $0.maximumFrame = Int64(settings.limits.topic + 64)
      })
    connectionLimit = settings.connectionsPerSocket
    routerMonitor = try Monitor(of: router)
    publisherMonitor = try Monitor(of: publisher)
    try router.bind(settings.endpoints.requests)
    try publisher.bind(settings.endpoints.publications)
  }

  /// Heartbeats also on ipc: they free what is queued for a stopped peer.
  private static func shared(
    _ settings: HostSettings, _ peers: PeerPolicy, _ change: (inout SocketOptions) -> Void
  ) -> SocketOptions {
    .with {
      $0.heartbeatInterval = .seconds(10)
      $0.heartbeatTimeout = .seconds(30)
      $0.handshake = .seconds(5)
      $0.ipcFilterUIDs = peers.filter
      change(&$0)
    }
  }
}
