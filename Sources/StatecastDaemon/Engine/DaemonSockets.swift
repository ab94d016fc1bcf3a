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
  ) throws {
    router = try Socket(
      .router, in: context, options: Self.requestOptions(settings, filter: peers.filter))
    publisher = try Socket(
      .extendedPublish, in: context,
      options: Self.publicationOptions(settings, filter: peers.filter))
    connectionLimit = settings.connectionsPerSocket
    routerMonitor = try Monitor(of: router)
    publisherMonitor = try Monitor(of: publisher)
    try Self.bind(router, to: settings.endpoints.requests, option: "--requests")
    try Self.bind(publisher, to: settings.endpoints.publications, option: "--publications")
  }

  private static func bind(
    _ socket: borrowing Socket, to endpoint: String, option: String
  ) throws(HostFailure) {
    do { try socket.bind(endpoint) } catch {
      throw HostFailure(
        "\(error)", advice: "Try: end the program that is there, or take another with \(option).")
    }
  }

  /// Requests of one peer that wait before it is stopped. They may have 1 MiB each, so this is what
  /// bounds the memory that a peer which floods the daemon can take.
  static let waitingRequests: Int32 = 128
  /// Subscriptions that one connection may make in its life. Those of a client are its views, each
  /// anew when it has lost the daemon, and its doorbells.
  static let subscriptionsOfConnection = 32_768
  /// Replies that a peer has not read before the rest waits in `BlockedReplies`.
  static let waitingReplies: Int32 = 1000

  /// Without heartbeats, unlike the other socket: a peer that floods is stopped, and libzmq 4.3.4
  /// aborts the process when a heartbeat is due to a peer that went while it was stopped. On ipc the
  /// kernel tells of a peer's end, on tcp its keepalive does, and sessions have their `alive`.
  static func requestOptions(_ settings: HostSettings, filter: [UInt32]) -> SocketOptions {
    .with {
      $0.handshake = handshake
      $0.ipcFilterUIDs = filter
      $0.keepAlive = SocketOptions.KeepAlive()
      $0.routerMandatory = true
      $0.sendHighWater = waitingReplies
      $0.receiveHighWater = waitingRequests
      // Above the protocol's limit, so that `too-large` can be answered.
      $0.maximumFrame = Int64(settings.limits.frame)
    }
  }

  /// Heartbeats also on ipc: they free what is queued for a stopped subscriber. They are safe only
  /// where a peer's input is never stopped (see `requestOptions`), so it has no high-water mark.
  static func publicationOptions(_ settings: HostSettings, filter: [UInt32]) -> SocketOptions {
    .with {
      $0.handshake = handshake
      $0.ipcFilterUIDs = filter
      $0.heartbeatInterval = .seconds(10)
      $0.heartbeatTimeout = .seconds(30)
      $0.receiveHighWater = 0
      $0.xpubVerbose = true
      $0.sendHighWater = settings.publicationHighWater
      // Subscriptions are all that a client sends here.
      $0.maximumFrame = Int64(settings.limits.topic + 64)
    }
  }

  private static let handshake = Duration.seconds(5)
}
