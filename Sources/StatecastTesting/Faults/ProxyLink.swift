internal import ZeroMQ

/// The sockets of a proxy between two cuts: clients in front, the daemon behind.
///
/// Each client has a DEALER of its own towards the daemon, so that a reply's way back is known by the
/// socket it comes from. Publications share one subscriber; subscriptions go through unharmed and in
/// the order in which they come, which the protocol's joining relies on.
final class ProxyLink {
  /// Where a message goes.
  enum Destination: Sendable {
    case daemon(route: [UInt8])
    case client(route: [UInt8])
    case subscribers
    /// A subscription, to the daemon.
    case publisher

    /// Nil: faults do not touch it.
    var direction: Direction? {
      switch self {
      case .daemon: .request
      case .client: .reply
      case .subscribers: .publication
      case .publisher: nil
      }
    }
  }

  private let router: Line
  private let publisher: Line
  private let subscriber: Line
  private var backs: [[UInt8]: Line] = [:]
  private let context: Context
  private let daemon: DaemonEndpoints
  private var watched: [EventLoop.WatchToken] = []
  private var listening: (loop: EventLoop, ready: () -> Void)?

  /// A socket that closes with the link.
  private final class Line {
    var socket: Socket
    init(_ socket: consuming Socket) { self.socket = socket }
    func receive() -> [[UInt8]]? { (try? socket.receive())?.frames }
  }

  init(
    front: DaemonEndpoints, back daemon: DaemonEndpoints, in context: Context
  ) throws(ZeroMQError) {
    self.context = context
    self.daemon = daemon
    router = Line(try Socket(.router, in: context, options: Self.unlimited))
    publisher = Line(try Socket(.extendedPublish, in: context, options: Self.unlimited))
    subscriber = Line(try Socket(.extendedSubscribe, in: context, options: Self.unlimited))
    try router.socket.bind(front.requests)
    try publisher.socket.bind(front.publications)
    try subscriber.socket.connect(daemon.publications)
  }

  /// The proxy loses nothing by itself.
  private static var unlimited: SocketOptions {
    .with {
      $0.sendHighWater = 0
      $0.receiveHighWater = 0
      $0.linger = .zero
      $0.reconnectInterval = .milliseconds(20)
    }
  }

  /// Calls whenever something can be received, until `unwatch`.
  func watch(on loop: EventLoop, _ ready: @escaping () -> Void) {
    listening = (loop, ready)
    for line in [router, publisher, subscriber] + backs.values { watch(line) }
  }

  func unwatch(on loop: EventLoop) {
    for token in watched { loop.unwatch(token) }
    watched = []
    listening = nil
  }

  private func watch(_ line: Line) {
    guard let (loop, ready) = listening else { return }
    watched.append(loop.watch(line.socket, ready))
  }

  /// All that has arrived, and where it goes.
  func receive() -> [(frames: [[UInt8]], destination: Destination)] {
    var arrived: [([[UInt8]], Destination)] = []
    while let frames = router.receive() {
      guard let route = frames.first else { continue }
      connect(route)
      arrived.append((Array(frames.dropFirst()), .daemon(route: route)))
    }
    while let frames = publisher.receive() { arrived.append((frames, .publisher)) }
    while let frames = subscriber.receive() { arrived.append((frames, .subscribers)) }
    for (route, back) in backs {
      while let frames = back.receive() { arrived.append((frames, .client(route: route))) }
    }
    return arrived
  }

  /// A client that is seen for the first time gets its way to the daemon.
  private func connect(_ route: [UInt8]) {
    guard backs[route] == nil,
      let socket = try? Socket(.dealer, in: context, options: Self.unlimited)
    else { return }
    let line = Line(socket)
    try? line.socket.connect(daemon.requests)
    backs[route] = line
    watch(line)
  }

  func send(_ frames: [[UInt8]], to destination: Destination) {
    // Whoever is gone gets nothing, as on any bad link.
    switch destination {
    case .daemon(let route): _ = try? backs[route]?.socket.send(frames)
    case .client(let route): _ = try? router.socket.send([route] + frames)
    case .subscribers: _ = try? publisher.socket.send(frames)
    case .publisher: _ = try? subscriber.socket.send(frames)
    }
  }
}
