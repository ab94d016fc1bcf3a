package import SyncProtocol
package import ZeroMQ

/// Stands between clients and a daemon's request socket, and loses what a test tells it to lose.
package actor RequestProxy {
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Where clients send their requests instead.
  package nonisolated let requests: String
  /// How many messages were lost.
  package private(set) var lost = 0

  private final class Sockets {
    var clients: Socket
    var daemon: Socket
    init(_ clients: consuming Socket, _ daemon: consuming Socket) {
      self.clients = clients
      self.daemon = daemon
    }
  }

  private let sockets: Sockets
  private let losesRequest: @Sendable (Request.Body) -> Bool
  private let losesReply: @Sendable (Reply) -> Bool

  /// A proxy before `daemon`, with its socket in `folder`.
  package init(
    to daemon: DaemonProcess, in folder: ScratchFolder,
    losingRequests losesRequest: @escaping @Sendable (Request.Body) -> Bool = { _ in false },
    losingReplies losesReply: @escaping @Sendable (Reply) -> Bool = { _ in false }
  ) async throws {
    loop = try EventLoop(name: "proxy")
    requests = "ipc://" + folder.file("proxy")
    let context = try Context()
    let clients = try Socket(.router, in: context)
    try clients.bind(requests)
    let behind = try Socket(.dealer, in: context)
    try behind.connect(daemon.endpoints.requests)
    sockets = Sockets(clients, behind)
    self.losesRequest = losesRequest
    self.losesReply = losesReply
    loop.start()
    begin()
  }

  private func begin() {
    _ = loop.watch(sockets.clients) { [unowned self] in assumeIsolated { $0.passRequest() } }
    _ = loop.watch(sockets.daemon) { [unowned self] in assumeIsolated { $0.passReply() } }
  }

  /// Ends it; what is on its way is lost.
  package nonisolated func close() async { await loop.stop() }

  private func passRequest() {
    guard let frames = try? sockets.clients.receive()?.frames, frames.count > 2 else { return }
    if let request = try? RequestCodec.decode(Array(frames[2...]), limits: Limits()),
      losesRequest(request.body)
    {
      lost += 1
    } else {
      _ = try? sockets.daemon.send(frames)
    }
  }

  private func passReply() {
    guard let frames = try? sockets.daemon.receive()?.frames, frames.count > 2 else { return }
    if let reply = try? ReplyCodec.decode(Array(frames[2...])), losesReply(reply) {
      lost += 1
    } else {
      _ = try? sockets.clients.send(frames)
    }
  }
}
