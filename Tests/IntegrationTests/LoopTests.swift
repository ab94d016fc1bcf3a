import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  /// What goes wrong once in a thousand times, or only with many: small here, and as large as the
  /// environment says. `STATECAST_JOINERS`, `STATECAST_CLIENTS`.
  @Suite("Loops")
  struct LoopTests {
    private static func size(_ name: String, or small: Int) -> Int {
      ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? small
    }

    @Test("A client that starts beside one action is exact without another one, each time")
    func slowJoiner() async throws {
      let daemon = try await DaemonProcess.start(
        Workshop.daemon, in: ScratchFolder(), isDurable: false)
      let near = try await daemon.connect()
      let seed = UInt64.random(in: 0 ... .max)
      var generator = SeededGenerator(seed: seed)
      for number in 1...Self.size("STATECAST_JOINERS", or: 30) {
        let moment = Duration.microseconds(Int.random(in: 0..<50_000, using: &generator))
        let sending = Task {
          try await Task.sleep(for: moment)
          return try await near.perform(WorkspaceEntry.load("a", .unsigned(UInt64(number))))
        }
        let far = try await daemon.connect()
        let mirror = await Workshop.mirror(far)
        #expect(try await sending.value.changed, "seed \(seed)")
        try await mirror.wait { $0.isFresh && $0.value["a"]?.integer == number }
        await far.close()
      }
      await near.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Many clients through many restarts leave as many sessions as there are clients")
    func crowd() async throws {
      let count = Self.size("STATECAST_CLIENTS", or: 20)
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: ScratchFolder())
      var clients: [DaemonConnection] = []
      var mirrors: [MirrorProbe] = []
      for _ in 0..<count {
        let client = try await daemon.connect()
        mirrors.append(await Workshop.mirror(client))
        clients.append(client)
      }
      for restart in 1...(count >= 100 ? 10 : 2) {
        daemon = try await daemon.restart()
        for client in clients {
          _ = try await client.perform(WorkspaceEntry.load("a", .unsigned(UInt64(restart))))
        }
        for mirror in mirrors {
          try await mirror.wait { $0.isFresh && $0.value["a"]?.integer == restart }
        }
      }
      guard case .value(let sessions) = try await clients[0].ask(.sessions).body else {
        Issue.record("sessions are not told")
        return
      }
      // Whoever only looked whether the daemon answers has a session of no actions.
      let acting = (sessions.elements ?? []).filter { ($0["last"]?.integer ?? 0) > 0 }
      #expect(acting.count == count)
      for client in clients { await client.close() }
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
