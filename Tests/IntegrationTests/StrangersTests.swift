import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Synchronization
import Testing

extension Spawned {
  @Suite("Strangers at a daemon's end")
  struct StrangersTests {
    /// libzmq aborts when such a greeting is completed on a connection that it is just closing: a
    /// third of these rounds ended so while the daemon closed its sockets.
    @Test("Old greetings half-way when a daemon is to end: it ends in order, and tells its clients")
    func oldGreetings() async throws {
      for round in 0..<12 {
        let folder = try ScratchFolder()
        let daemon = try await DaemonProcess.start(
          Workshop.daemon, in: folder, isDurable: round.isMultiple(of: 2))
        let client = try await daemon.connect()
        // With a link: only then is it told at once.
        let mirror = await Workshop.mirror(client)
        let receipt = try await client.perform(WorkspaceEntry.load("a", .null))
        try await mirror.wait(for: receipt.commit)
        var events = client.noticeStream.makeAsyncIterator()
        let strangers = Strangers(
          at: ["requests", "publications"].map { folder.file($0) })
        await strangers.haveCome()
        #expect(await daemon.process.terminate() == .exited(0), "\(daemon.process.errors)")
        strangers.leave()
        var farewell: String?
        while farewell == nil, let event = await events.next() {
          if case .goingAway(let text) = event { farewell = text }
        }
        #expect(farewell == "the daemon was asked to stop")
        // Nothing of it is in the next one's way.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains("requests") && !names.contains("publications"))
        await client.close()
      }
    }

    @Test("A daemon that is asked to end by a client answers it, strangers or not")
    func answersStop() async throws {
      for _ in 0..<5 {
        let folder = try ScratchFolder()
        let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
        let strangers = Strangers(
          at: ["requests", "publications"].map { folder.file($0) })
        await strangers.haveCome()
        let run = try await Workshop.run("stop", in: folder)
        #expect(run.ending == .exited(0), "\(run.errors)")
        #expect(await daemon.process.waitUntilEnded() == .exited(0), "\(daemon.process.errors)")
        strangers.leave()
      }
    }
  }
}

/// A thread that connects, begins greetings of ZMTP 1.0 and completes them, again and again.
private final class Strangers: Sendable {
  private static let together = 50
  private let isOver = Atomic(false)
  private let rounds: AsyncStream<Void>

  init(at paths: [String]) {
    let (rounds, completed) = AsyncStream<Void>.makeStream()
    self.rounds = rounds
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {
        let held = (0..<Self.together).compactMap { UnixStream.connect(paths[$0 % paths.count]) }
        if held.isEmpty { return }
        // A message of one byte, its flags: who the peer is. Half of it now, half when the daemon has
        // begun to greet, so that it is not flooded.
        for descriptor in held { UnixStream.write([1], to: descriptor) }
        for descriptor in held { UnixStream.waitForByte(on: descriptor) }
        for descriptor in held { UnixStream.write([0], to: descriptor) }
        for descriptor in held { close(descriptor) }
        completed.yield()
      }
    }
  }

  func haveCome() async {
    var iterator = rounds.makeAsyncIterator()
    _ = await iterator.next()
  }

  func leave() { isOver.store(true, ordering: .relaxed) }
}
