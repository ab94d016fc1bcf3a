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
