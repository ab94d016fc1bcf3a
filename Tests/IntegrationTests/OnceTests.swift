import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing
import ZeroMQ

extension Spawned {
  @Suite("Exactly once")
  struct OnceTests {
    @Test("The same act sent twice is applied once, and answered the same")
    func duplicate() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let raw = try RawClient(daemon.endpoints)
      let hello = try raw.ask(.hello(Hello()), epoch: nil)
      guard case .hello(let answer) = hello.body else {
        Issue.record("hello was answered \(hello)")
        return
      }
      let load = WorkspaceEntry.load("a", .unsigned(1))
      let act = Act(base: answer.base, entries: [.init(number: 1, entry: load)])
      let first = try raw.ask(.act(act), epoch: hello.header.epoch)
      let second = try raw.ask(.act(act), epoch: hello.header.epoch)
      guard case .act(let one) = first.body, case .act(let two) = second.body else {
        Issue.record("act was answered \(first) and \(second)")
        return
      }
      #expect(one.outcomes == two.outcomes)
      #expect(one.outcomes.first?.code == .ok)
      #expect(second.header.commit == one.outcomes.first?.commit)

      let other = Act(
        base: answer.base, entries: [.init(number: 1, entry: WorkspaceEntry.increment("/a"))])
      guard case .act(let reused) = try raw.ask(.act(other), epoch: hello.header.epoch).body else {
        Issue.record("an act with a used number was not answered as act")
        return
      }
      #expect(reused.outcomes.first?.code == .idReused)
      await daemon.process.terminate()
    }

    @Test("SIGTERM during writes: what was acknowledged is there after the restart")
    func terminatedDuringWrites() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let client = try await daemon.connect()
      _ = try await client.perform(WorkspaceEntry.load("n", .unsigned(0)))
      let writer = Task {
        var acknowledged = 0
        while !Task.isCancelled {
          guard (try? await client.perform(WorkspaceEntry.increment("/n"))) != nil else { break }
          acknowledged += 1
          if acknowledged == 200 { break }
        }
        return acknowledged
      }
      #expect(await daemon.process.terminate() == .exited(0))
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let acknowledged = await writer.value
      #expect(acknowledged == 200)
      let value = try await client.fetch("workspace", parameters: .text("/n")).value
      #expect(value.integer == acknowledged)
      await daemon.process.terminate()
    }
  }
}

/// A client that is only a socket: what it sends is what a test says.
final class RawClient {
  private var socket: Socket
  private let context: Context
  private let session: SessionID
  private var requests: UInt64 = 0

  init(_ endpoints: DaemonEndpoints) throws {
    context = try Context()
    socket = try Socket(.dealer, in: context)
    try socket.connect(endpoints.requests)
    var generator = SystemRandomNumberGenerator()
    session = SessionID(.random(using: &generator))
  }

  /// Sends frames behind an empty delimiter.
  func send(_ frames: [[UInt8]]) throws { _ = try socket.send([[]] + frames) }

  /// Asks, and waits for the reply.
  func ask(_ body: Request.Body, epoch: Epoch?) throws -> Reply {
    requests += 1
    try send(
      RequestCodec.encode(Request(id: requests, session: session, epoch: epoch, body: body)))
    return try receive()
  }

  /// The next reply; waits on the socket for at most 20 s.
  func receive() throws -> Reply {
    let deadline = EventLoop.monotonicNow() + 20_000_000_000
    while EventLoop.monotonicNow() < deadline {
      if let message = try socket.receive() {
        return try ReplyCodec.decode(Array(message.frames.dropFirst()))
      }
      _ = socket.waitUntilReadable(atMost: .milliseconds(100))
    }
    throw NoReply()
  }

  struct NoReply: Error {}
}
