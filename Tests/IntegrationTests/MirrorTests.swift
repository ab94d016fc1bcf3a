import Showcase
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  @Suite("Mirrors")
  struct MirrorTests {
    @Test("Several clients act and mirror: all hold the same value and digest, a late joiner too")
    func severalClients() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let clients = [
        try await daemon.connect(), try await daemon.connect(), try await daemon.connect(),
      ]
      var mirrors: [MirrorProbe] = []
      for client in clients { mirrors.append(await Workshop.mirror(client)) }
      let first = try await clients[0].perform(WorkspaceEntry.load("tally", .map([:]))).commit
      let last = try await withThrowingTaskGroup(of: CommitNumber.self) { group in
        for (index, client) in clients.enumerated() {
          group.addTask {
            var last = CommitNumber.zero
            for _ in 0..<50 {
              last = try await client.perform(WorkspaceEntry.increment("/tally/\(index)")).commit
            }
            return last
          }
        }
        return try await group.reduce(.zero) { max($0, $1) }
      }
      #expect(last == CommitNumber(rawValue: first.rawValue + 150))
      let late = await Workshop.mirror(try await daemon.connect())
      mirrors.append(late)
      for mirror in mirrors {
        try await mirror.wait(for: last)
        let value = await mirror.value
        #expect(
          value["tally"]?.isIdentical(
            to: .map(["0": .unsigned(50), "1": .unsigned(50), "2": .unsigned(50)])) == true)
        #expect(await mirror.digest == value.digest)
      }
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("kill -9 of the daemon: mirrors are stale, then exact again, and nothing is lost")
    func daemonKilled() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let client = try await daemon.connect()
      let mirror = await Workshop.mirror(client)
      _ = try await client.perform(WorkspaceEntry.load("a", .unsigned(1)))
      try await mirror.wait { $0.value["a"] != nil }
      await daemon.process.kill()
      // Sent while nobody is there: it waits, and is applied once.
      async let receipt = client.perform(WorkspaceEntry.increment("/a"))
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let commit = try await receipt.commit
      try await mirror.wait { $0.value["a"]?.integer == 2 && $0.isFresh }
      #expect(await mirror.number >= commit)
      #expect(await mirror.staleReasons.isEmpty == false)
      await daemon.process.terminate()
    }

    @Test("A store that waited until an action is mirrored holds it, each time")
    @MainActor func mirrored() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let client = try await daemon.connect()
      let store = try await client.store(
        "counter", of: Counter.ViewState.self, action: ShowcaseApp.Action.self)
      for count in 1...300 {
        _ = try await store.perform(.counter(.incrementButtonTapped), until: .mirrored)
        try #require(store.count == count)
      }
      await client.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("kill -9 of a client: the others notice nothing")
    func clientKilled() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let client = try await daemon.connect()
      let mirror = await Workshop.mirror(client)
      try await mirror.wait { $0.updates > 0 }
      let victim = try ChildProcess(
        Workshop.tool, ["watch", "workspace", "--json", "--folder", folder.path], name: "victim",
        in: folder)
      _ = try await client.perform(WorkspaceEntry.load("a", .unsigned(1)))
      await victim.kill()
      let last = try await client.perform(WorkspaceEntry.increment("/a")).commit
      try await mirror.wait(for: last)
      #expect(await mirror.value["a"]?.integer == 2)
      #expect(await mirror.staleReasons.isEmpty)
      await daemon.process.terminate()
    }
  }
}
