import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Synchronization
import Testing
import ZeroMQ

extension Spawned {
  @Suite("Lost messages")
  struct LossTests {
    @Test("The reply to an action is lost: the client sends it again, and it is applied once")
    func replyLost() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let left = Mutex(2)
      let proxy = try await RequestProxy(
        to: daemon, in: folder,
        losingReplies: { reply in
          guard case .act = reply.body else { return false }
          return left.withLock { left in
            left -= 1
            return left >= 0
          }
        })
      let client = try await DaemonConnection(
        .init(
          endpoints: DaemonEndpoints(
            requests: proxy.requests, publications: daemon.endpoints.publications)))
      _ = try await client.perform(WorkspaceEntry.load("a", .unsigned(0)))
      for _ in 0..<5 { _ = try await client.perform(WorkspaceEntry.increment("/a")) }
      #expect(await proxy.lost == 2)
      let direct = try await daemon.connect()
      #expect(try await direct.fetch("workspace", parameters: .text("/a")).value.integer == 5)
      await client.close()
      await proxy.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("A task that is cancelled waits no longer for its action")
    func cancelled() async throws {
      let folder = try ScratchFolder()
      let client = try await DaemonConnection(
        .init(endpoints: DaemonEndpoints(folder: folder.path)))
      let waiting = Task { try await client.perform(WorkspaceEntry.load("a", .null)) }
      waiting.cancel()
      let failure = await #expect(throws: ActionFailure.self) { try await waiting.value }
      #expect(failure?.isCertain == false)
      #expect(failure?.message == "nobody waits for the answer any more")
      await client.close()
    }
  }
}
