import Composable
import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Synchronization
import Testing

extension Spawned {
  @Suite("Fifth seed, between processes")
  @MainActor
  struct RefreshingSeedTests {
    @Test(
      "Rule 22: a trigger refreshes children in other processes, also over a restart of the daemon")
    func trigger() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "refresh"])
      let parent = try await daemon.testStore(
        "seed", of: Trigger.State.self, action: Trigger.Action.self)
      let store = try await daemon.testStore(
        "seed", of: Trigger.State.self, action: Trigger.Action.self)
      let child = TriggeredChild(store: store.store)
      await parent.send(.refreshTapped) { $0.refreshingID = 1 }
      await store.receive { $0.refreshingID = 1 }
      #expect(child.refreshes == 1)

      // A trigger is a level: what is set while the child is away is there when it is back.
      let again = try await daemon.restart()
      await parent.send(.refreshTapped) { $0.refreshingID = 2 }
      await store.receive(until: { $0.refreshingID == 2 })
      #expect(child.refreshes == 2)
      #expect(await again.stop() == .exited(0), "\(again.log)")
    }

    @Test("Rules 6 and 22: the daemon does the work, as an effect of its own commit")
    func effect() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "refresh"])
      let store = try await daemon.testStore(
        "seed", of: Trigger.State.self, action: Trigger.Action.self)
      let receipt = try #require(await store.send(.loadTapped))
      await store.receive { $0.loaded = ["fresh"] }
      try await store.receiveStep(.loadTapped, from: .client)
      try await store.receiveStep(.loaded(["fresh"]), from: .effect(of: receipt.commit))
      #expect(try await store.takeSteps().isEmpty)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("Rule 22: a child offers a handle that others call, until it leaves: then it is gone")
    func handle() async throws {
      let daemon = try await DaemonProcess.start(
        "SeedsDaemon", environment: ["SEED": "refresh-handle"])
      let parent = try await daemon.testStore(
        "seed", of: Calling.State.self, action: Calling.Action.self)
      parent.exhaustivity = .off
      let child = try await daemon.connect()
      let refreshes = Mutex(0)
      try await child.offer("refresh") { refreshes.withLock { $0 += 1 } }
      await parent.receive(until: { !$0.handles.isEmpty })
      let handle = try #require(parent.state.handles.first)
      let connection = parent.store.connection
      try await connection.call(handle)
      #expect(refreshes.withLock { $0 } == 1)

      // Whoever claims one that is not its own is refused.
      await parent.send(
        .handlesChanged(.offered(Handle(owner: handle.owner, epoch: 1, name: "other"))),
        refusedWith: .rejected)
      await child.close()
      await parent.receive(until: { $0.handles.isEmpty })
      let failure = await #expect(throws: CallFailure.self) { try await connection.call(handle) }
      #expect(failure?.reason == .gone)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }
  }
}
