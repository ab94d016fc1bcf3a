import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  @Suite("Presence across processes (rule 22)")
  struct PresenceTests {
    @Test("After a restart nobody of before is listed, and who is still there comes back by itself")
    func restart() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let client = try await daemon.connect(isPresent: true)
      let other = try await daemon.connect(isPresent: true)
      let mirror = await MirrorProbe.of("presence", on: client)
      try await mirror.wait { $0.value["clients"]?.elements?.count == 2 }
      await daemon.process.kill()
      await other.close()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      try await mirror.wait {
        $0.isFresh && $0.value["clients"]?.elements?.count == 1
      }
      // The first commit of the run ended what was before, and the next lists who is there.
      await client.close()
      let watcher = try await daemon.connect()
      let after = await MirrorProbe.of("presence", on: watcher)
      try await after.wait { $0.isFresh && $0.value["clients"]?.elements?.count == 0 }
      await watcher.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Nobody can say that another is there")
    func forged() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let run = try await Workshop.run(
        "send", "presence.changed", #"{"joined": {"client": 7, "name": "x"}}"#, in: folder)
      #expect(run.ending == .exited(4))
      #expect(run.errors.contains("only the daemon itself says who is there"))
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
