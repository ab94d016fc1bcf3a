import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing
import ZeroMQ

extension Spawned {
  @Suite("Bad input and bad neighbours")
  struct HostileTests {
    /// `STATECAST_NOISE` says how many messages each socket gets; a tenth as many connections say
    /// plain bytes.
    private static let messages =
      ProcessInfo.processInfo.environment["STATECAST_NOISE"].flatMap { Int($0) } ?? 10_000
    /// Resident bytes that the daemon may have had at most, however much came.
    private static let residentBytes = 160 << 20

    @Test("Two daemons in one folder: the second says who is there, and ends")
    func twoDaemons() async throws {
      let folder = try ScratchFolder()
      let first = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let second = try DaemonProcess.launch(Workshop.daemon, in: folder, isDurable: false)
      #expect(await second.process.waitUntilEnded() != .exited(0))
      #expect(second.process.errors.contains("\(first.process.pid)"))
      let client = try await first.connect()
      #expect(try await client.perform(WorkspaceEntry.load("a", .null)).changed)
      await first.process.terminate()
    }

    @Test(
      "Where its second endpoint is taken the daemon names it and ends, and leaves no socket behind"
    )
    func takenEndpoint() async throws {
      let folder = try ScratchFolder()
      let (taken, port) = try #require(PlainStream.listener())
      let endpoint = "tcp://127.0.0.1:\(port)"
      let daemon = try DaemonProcess.launch(
        Workshop.daemon, in: folder, isDurable: false, arguments: ["--publications", endpoint])
      let ending = await daemon.process.waitUntilEnded()
      #expect(ending == .exited(1))
      #expect(
        daemon.process.errors.contains(
          "bind \(endpoint): Address already in use. Try: end the program that is there, or take "
            + "another with --publications."), "\(daemon.process.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.file("requests")))
      close(taken)
      let next = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let client = try await next.connect()
      #expect(try await client.perform(WorkspaceEntry.load("a", .null)).changed)
      #expect(await next.process.terminate() == .exited(0))
    }

    @Test("10,000 random and mutated messages on both sockets: a healthy client sees nothing")
    func malformedMessages() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let client = try await daemon.connect()
      let mirror = await Workshop.mirror(client)
      _ = try await client.perform(WorkspaceEntry.load("a", .unsigned(0)))
      let seed = UInt64.random(in: .min ... .max)
      var noise = Noise(seed: seed)
      let context = try Context()
      var asking = try Socket(.dealer, in: context)
      try asking.connect(daemon.endpoints.requests)
      let subscribing = try Socket(.extendedSubscribe, in: context)
      try subscribing.connect(daemon.endpoints.publications)
      var applied = 0
      for round in 0..<Self.messages {
        _ = try asking.send(noise.request())
        _ = try subscribing.send(noise.subscription())
        while try asking.receive() != nil {}
        if round.isMultiple(of: 500) {
          _ = try await client.perform(WorkspaceEntry.increment("/a"))
          applied += 1
        }
      }
      let expected = applied
      try await mirror.wait { $0.value["a"]?.integer == expected }
      #expect(await mirror.staleReasons.isEmpty, "seed \(seed)")
      #expect(daemon.process.ending == nil, "seed \(seed)\n\(daemon.process.errors)")
      let resident = try ProcessFigures(pid: daemon.process.pid).mostResident
      #expect(resident < Self.residentBytes, "seed \(seed)")
      print("\(Self.messages) messages to each socket: \(resident >> 20) MiB at most")
      asking.close()
      subscribing.close()
      context.terminate()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Who subscribes without end is hung up, and the log says so; the others notice nothing")
    func endlessSubscriptions() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let client = try await daemon.connect()
      let mirror = await Workshop.mirror(client)
      try await mirror.wait { $0.isFresh }
      let context = try Context()
      let subscribing = try Socket(
        .extendedSubscribe, in: context,
        options: .with {
          $0.linger = .zero
          $0.sendHighWater = 0
        })
      try subscribing.connect(daemon.endpoints.publications)
      for number in 0..<40_000 {
        #expect(try subscribing.send([1] + Array("endless \(number)".utf8)) == .sent)
      }
      while !daemon.process.errors.contains("turned away: ") {
        _ = try await client.perform(WorkspaceEntry.increment("/a"))
      }
      #expect(
        daemon.process.errors.contains("that had made 32768 subscriptions. Try: find out which"),
        "\(daemon.process.errors)")
      subscribing.close()
      context.terminate()
      let receipt = try await client.perform(WorkspaceEntry.load("a", .null))
      try await mirror.wait(for: receipt.commit)
      #expect(await mirror.staleReasons.isEmpty)
      #expect(await daemon.process.terminate() == .exited(0), "\(daemon.process.errors)")
    }

    @Test("Plain bytes on the sockets' paths: half greetings, random bytes, resets")
    func plainBytes() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let client = try await daemon.connect()
      let seed = UInt64.random(in: .min ... .max)
      var noise = Noise(seed: seed)
      for _ in 0..<Self.messages / 10 {
        for name in ["requests", "publications"] {
          let descriptor = try #require(UnixStream.connect(folder.file(name)))
          UnixStream.write(noise.bytes(atMost: 200, greeting: true), to: descriptor)
          close(descriptor)
        }
      }
      let receipt = try await client.perform(WorkspaceEntry.load("a", .null))
      #expect(receipt.changed, "seed \(seed)")
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Costly requests delay another client by a turn, not by all of them; their sender may go")
    func flood() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let client = try await daemon.connect()
      let context = try Context()
      var flooding = try Socket(
        .dealer, in: context,
        options: .with {
          $0.linger = .zero
          $0.sendHighWater = 0
          $0.receiveHighWater = 0
        })
      try flooding.connect(daemon.endpoints.requests)
      let session = SessionID(Bytes16(high: 1, low: 1))
      let costly = WorkspaceEntry.set(String(repeating: "/x", count: 2000), .null)
      let count: UInt64 = 500
      for id in 1...count {
        let request = Request(id: id, session: session, epoch: nil, body: .trial(costly))
        #expect(try flooding.send([[]] + RequestCodec.encode(request)) == .sent)
      }
      // From here on it is being worked on.
      var header = try await Self.next(&flooding).header
      let receipt = try await client.perform(WorkspaceEntry.load("a", .null))
      while header.request != count { header = try await Self.next(&flooding).header }
      // The daemon tells its newest commit in every answer: the last one came after the action.
      #expect(header.commit >= receipt.commit)

      for id in 1...count {
        let request = Request(id: id, session: session, epoch: nil, body: .trial(costly))
        #expect(try flooding.send([[]] + RequestCodec.encode(request)) == .sent)
      }
      _ = try await Self.next(&flooding)
      flooding.close()
      #expect(try await client.perform(WorkspaceEntry.load("b", .null)).changed)
      context.terminate()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    private static func next(_ socket: inout Socket) async throws -> Reply {
      while true {
        if let message = try socket.receive() {
          return try ReplyCodec.decode(Array(message.frames.dropFirst()))
        }
        await Task.yield()
      }
    }

    @Test("A burst of connections that takes the last descriptor ends nothing, and is turned away")
    func noDescriptorLeft() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let client = try await daemon.connect()
      #expect(try await client.perform(WorkspaceEntry.load("before", .null)).changed)
      /// `prlimit` of util-linux: what a burst does by chance, done by choice.
      func limit(_ files: Int) async throws {
        let run = try await Workshop.finish(
          "/usr/bin/prlimit", ["--pid", "\(daemon.process.pid)", "--nofile=\(files):"], in: folder)
        #expect(run.ending == .exited(0), "\(run.errors)")
      }
      let open = try FileManager.default.contentsOfDirectory(
        atPath: "/proc/\(daemon.process.pid)/fd")
      try await limit((open.compactMap { Int($0) }.max() ?? 0) + 1)
      let burst = (0..<20).compactMap { _ in UnixStream.connect(folder.file("requests")) }
      #expect(burst.count == 20)
      // A few find a place. None is left waiting, for which the listener would ask again and again.
      let answers = burst.map { UnixStream.answer(on: $0) }
      #expect(!answers.contains(nil), "\(answers)")
      #expect(answers.suffix(5) == [0, 0, 0, 0, 0], "\(answers)")
      #expect(try await client.perform(WorkspaceEntry.load("a", .null)).changed)
      #expect(daemon.process.ending == nil, "\(daemon.process.errors)")
      try await limit(1024)
      // Who comes now is let in.
      let late = try await daemon.connect()
      #expect(try await late.perform(WorkspaceEntry.load("b", .null)).changed)
      for descriptor in burst { close(descriptor) }
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("What the daemon keeps on disk is for its own user alone")
    func files() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let state = folder.file("state")
      let names = try FileManager.default.contentsOfDirectory(atPath: state)
      #expect(names.contains("journal.db") && names.contains("journal.db-wal"))
      for path in [state] + names.map({ state + "/" + $0 }) {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect((mode ?? 0o777) & 0o077 == 0, "\(path)")
      }
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test(
      "Another user's process is not let in; root's is no other user",
      .enabled(if: getuid() == 0, "only root can start another user's process"))
    func otherUsers() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      // Let the other user reach the sockets, so that it is the daemon that refuses.
      chmod(folder.path, 0o755)
      for name in ["requests", "publications"] { chmod(folder.file(name), 0o777) }
      // The build may lie where another user cannot read it.
      let tool = folder.file("statecast")
      try FileManager.default.copyItem(atPath: Workshop.tool, toPath: tool)
      let other = try await Workshop.finish(
        "/usr/bin/setpriv",
        [
          "--reuid", "65534", "--regid", "65534", "--clear-groups", tool, "get", "counter",
          "--folder", folder.path, "--timeout", "1",
        ], in: folder)
      #expect(other.ending == .exited(3), "\(other.errors)")
      #expect(other.output.isEmpty)
      #expect(other.errors.contains("no daemon answers at ipc://\(folder.path)/requests"))
      let client = try await daemon.connect()
      #expect(try await client.perform(WorkspaceEntry.load("a", .null)).changed)
      await daemon.process.terminate()
    }
  }
}

/// Seeded bytes that look more or less like messages.
struct Noise {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Random bytes; with the beginning of a ZMTP greeting half of the time.
  mutating func bytes(atMost count: Int, greeting: Bool = false) -> [UInt8] {
    let random = (0..<Int.random(in: 0...count, using: &generator)).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    guard greeting, Bool.random(using: &generator) else { return random }
    let head: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0]
    return Array(head.prefix(Int.random(in: 1...12, using: &generator))) + random
  }

  /// A request's frames: random, or a real request with bytes changed, cut or doubled.
  mutating func request() -> [[UInt8]] {
    if Int.random(in: 0..<4, using: &generator) == 0 {
      return (0...Int.random(in: 0...3, using: &generator)).map { _ in bytes(atMost: 64) }
    }
    let bodies: [Request.Body] = [
      .hello(Hello(views: [ViewRequest(name: "workspace")])), .bye, .views, .stats,
      .act(Act(base: .zero, entries: [.init(number: 1, entry: WorkspaceEntry.increment("/x"))])),
      .snapshot(Topic(bytes: bytes(atMost: 30))), .alive(Alive()),
      .chunk(answer: generator.next(), offset: generator.next()),
      .outcome(OutcomeQuery(base: .zero, numbers: [1, 2])),
    ]
    let body = bodies[Int.random(in: 0..<bodies.count, using: &generator)]
    let session = SessionID(.random(using: &generator))
    var frames = RequestCodec.encode(
      Request(id: generator.next(), session: session, epoch: nil, body: body))
    for _ in 0..<Int.random(in: 0...3, using: &generator) { mutate(&frames) }
    return [[]] + frames
  }

  private mutating func mutate(_ frames: inout [[UInt8]]) {
    let index = Int.random(in: 0..<frames.count, using: &generator)
    let count = frames[index].count
    switch Int.random(in: 0..<4, using: &generator) {
    case 0 where count > 0:
      let place = Int.random(in: 0..<count, using: &generator)
      frames[index][place] = UInt8.random(in: .min ... .max, using: &generator)
    case 1: frames[index] = Array(frames[index].prefix(count / 2))
    case 2: frames[index] += frames[index]
    default: frames.append(bytes(atMost: 16))
    }
  }

  /// What an XSUB may send: subscriptions to nonsense, and messages that are none.
  mutating func subscription() -> [UInt8] {
    var message = bytes(atMost: 40)
    if !message.isEmpty, Bool.random(using: &generator) { message[0] &= 1 }
    return message
  }
}

/// A plain stream to a socket's path, without ZeroMQ.
enum UnixStream {
  static func connect(_ path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return PlainStream.connected(descriptor, to: address)
  }

  /// Waits until there is something to read, or the other end has hung up.
  static func waitForByte(on descriptor: Int32) {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&item, 1, 5000)
  }

  /// How many bytes the other end says at first, of one; none where it hangs up, nil where it waits.
  static func answer(on descriptor: Int32) -> Int? {
    waitForByte(on: descriptor)
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : count
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
