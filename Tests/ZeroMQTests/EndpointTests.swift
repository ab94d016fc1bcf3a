import Glibc
import Testing

@testable import ZeroMQ

@Suite("Endpoints")
struct EndpointTests {
  private let context: Context
  init() throws { context = try Context() }

  /// Sends through a fresh connection and says whether that router got it.
  private func reaches(_ router: inout Socket, at endpoint: String) throws -> Bool {
    let dealer = try Socket(.dealer, in: context)
    try dealer.connect(endpoint)
    #expect(try dealer.send([[], bytes("hello")]) == .sent)
    return try router.next(with: [dealer.core])?.frames.last == bytes("hello")
  }

  private func inode(_ path: String) -> UInt64? {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  private func isSocket(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  @Test("a second bind steals an ipc path silently: the lock must be elsewhere")
  func stealing() throws {
    let scratch = try Scratch()
    var first = try Socket(.router, in: context)
    var second = try Socket(.router, in: context)
    try first.bind(scratch.ipc("s"))
    let before = inode(scratch.path("s"))
    let old = try Socket(.dealer, in: context)
    try old.connect(scratch.ipc("s"))
    #expect(try old.send([[], bytes("before")]) == .sent)
    #expect(try first.next(with: [old.core])?.frames.last == bytes("before"))

    try second.bind(scratch.ipc("s"))
    #expect(inode(scratch.path("s")) != before)
    #expect(try reaches(&second, at: scratch.ipc("s")))
    // Who was there before stays with the first.
    #expect(try old.send([[], bytes("still")]) == .sent)
    #expect(try first.next(with: [old.core])?.frames.last == bytes("still"))
    #expect(try first.receive() == nil)
  }

  @Test("a regular file in an ipc path's place is deleted, a folder is refused")
  func replacing() throws {
    let scratch = try Scratch()
    let file = creat(scratch.path("file"), 0o600)
    close(file)
    #expect(!isSocket(scratch.path("file")))
    let socket = try Socket(.router, in: context)
    try socket.bind(scratch.ipc("file"))
    #expect(isSocket(scratch.path("file")))

    mkdir(scratch.path("folder"), 0o700)
    #expect(throws: ZeroMQError(operation: "bind \(scratch.ipc("folder"))", errno: EADDRINUSE)) {
      try socket.bind(scratch.ipc("folder"))
    }
  }

  @Test("an ipc path of 107 bytes works, one of 108 is refused by bind and by connect")
  func length() throws {
    let scratch = try Scratch()
    let fits = scratch.path(String(repeating: "a", count: 107 - scratch.folder.utf8.count - 1))
    #expect(fits.utf8.count == 107)
    var router = try Socket(.router, in: context)
    try router.bind("ipc://" + fits)
    #expect(try reaches(&router, at: "ipc://" + fits))
    let expected = { (operation: String) in
      ZeroMQError(operation: "\(operation) ipc://\(fits)b", errno: ENAMETOOLONG)
    }
    #expect(throws: expected("bind")) { try router.bind("ipc://\(fits)b") }
    let dealer = try Socket(.dealer, in: context)
    #expect(throws: expected("connect")) { try dealer.connect("ipc://\(fits)b") }
  }

  @Test("an ipc file whose path was deleted keeps its clients and gets no new ones")
  func deleted() throws {
    let scratch = try Scratch()
    var router = try Socket(.router, in: context)
    try router.bind(scratch.ipc("s"))
    let dealer = try Socket(.dealer, in: context)
    try dealer.connect(scratch.ipc("s"))
    #expect(try dealer.send([[], bytes("1")]) == .sent)
    #expect(try router.next(with: [dealer.core])?.frames.last == bytes("1"))
    unlink(scratch.path("s"))
    #expect(try dealer.send([[], bytes("2")]) == .sent)
    #expect(try router.next(with: [dealer.core])?.frames.last == bytes("2"))
    #expect(inode(scratch.path("s")) == nil)
    #expect(throws: ZeroMQError(operation: "connect", errno: ENOENT)) {
      _ = try RawPeer(scratch.ipc("s"))
    }
  }

  @Test("closing leaves the ipc file: who made it takes it away")
  func leftBehind() throws {
    let scratch = try Scratch()
    let router = try Socket(.router, in: context)
    try router.bind(scratch.ipc("s"))
    router.close()
    let other = try Socket(.router, in: context)
    try other.bind(scratch.ipc("t"))
    try other.unbind(scratch.ipc("t"))
    context.shutdown()
    other.close()
    context.terminate()
    #expect(isSocket(scratch.path("s")))
    #expect(isSocket(scratch.path("t")))
  }

  @Test(
    "the last endpoint names the port that was picked",
    arguments: ["tcp://127.0.0.1:*", "tcp://127.0.0.1:0"])
  func lastEndpoint(wanted: String) throws {
    let socket = try Socket(.router, in: context)
    try socket.bind(wanted)
    let endpoint = try socket.lastEndpoint
    #expect(endpoint.hasPrefix("tcp://127.0.0.1:"))
    #expect(try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) }) > 0)
  }

  @Test("the last endpoint of an ipc socket is its path")
  func lastIPCEndpoint() throws {
    let scratch = try Scratch()
    let socket = try Socket(.router, in: context)
    try socket.bind(scratch.ipc("s"))
    #expect(try socket.lastEndpoint == scratch.ipc("s"))
  }

  @Test("a port in use is told with the endpoint")
  func inUse() throws {
    let first = try Socket(.router, in: context)
    try first.bind("tcp://127.0.0.1:*")
    let endpoint = try first.lastEndpoint
    let second = try Socket(.router, in: context)
    let failure = #expect(throws: ZeroMQError.self) { try second.bind(endpoint) }
    #expect(failure?.description == "bind \(endpoint): Address already in use")
  }

  @Test("a descriptor of a socket is closed in programs that are started")
  func closeOnExec() throws {
    let socket = try Socket(.router, in: context)
    #expect(fcntl(try socket.core.descriptor(), F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test(
    "unbinding hangs up on those who are attached: no fence for a running daemon",
    arguments: Transport.allCases)
  func unbindHangsUp(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try Socket(.router, in: context)
    try router.bind(scratch.endpoint(transport))
    let endpoint = try router.lastEndpoint
    let attached = try RawPeer(endpoint)
    try attached.shakeHands(as: "DEALER")
    attached.write(RawPeer.frame(bytes("1")))
    #expect(try router.next()?.frames.last == bytes("1"))
    try router.unbind(endpoint)
    let isOut = attached.waitForHangUp(with: [router.core])
    #expect(isOut)
    #expect(throws: ZeroMQError(operation: "connect", errno: ECONNREFUSED)) {
      _ = try RawPeer(endpoint)
    }
  }

  @Test("binding again after unbinding lets those in who waited", arguments: Transport.allCases)
  func bindAgain(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try Socket(.router, in: context)
    try router.bind(scratch.endpoint(transport))
    let endpoint = try router.lastEndpoint
    try router.unbind(endpoint)
    let late = try Socket(
      .dealer, in: context, options: .with { $0.reconnectInterval = .milliseconds(5) })
    try late.connect(endpoint)
    #expect(try late.send([[], bytes("late")]) == .sent)
    #expect(try eventually([late.core], lookingAgain: true) { (try? router.bind(endpoint)) != nil })
    #expect(try router.next(with: [late.core])?.frames.last == bytes("late"))
  }
}
