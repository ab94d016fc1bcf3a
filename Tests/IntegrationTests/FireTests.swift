import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing
import ZeroMQ

extension Spawned {
  /// Clients whose links lose, double, delay and damage messages, and break.
  @Suite("Under fire")
  struct FireTests {
    private static let clients = 3
    private static let actions = 60

    @Test("Bad links, cut and healed, and a killed daemon: once, in one order, exact at the end")
    func fire() async throws {
      let seed =
        ProcessInfo.processInfo.environment["STATECAST_SEED"].flatMap { UInt64($0) }
        ?? .random(in: 0 ... .max)
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let calm = try await daemon.connect()
      _ = try await calm.perform(WorkspaceEntry.load("fire", .array([])))
      var proxies: [FaultProxy] = []
      var mirrors: [MirrorProbe] = []
      var connections: [DaemonConnection] = []
      for index in 0..<Self.clients {
        let proxy = try await FaultProxy.start(
          to: daemon.endpoints, in: folder, name: "link\(index)", seed: seed &+ UInt64(index))
        proxies.append(proxy)
        let connection = try await DaemonConnection(.init(endpoints: proxy.endpoints))
        connections.append(connection)
        mirrors.append(await Workshop.mirror(connection, path: "/fire"))
        await proxy.set(
          .with {
            $0.drop = 60
            $0.double = 60
            $0.delay = 100
            $0.truncate = 20
          }, for: .request, .reply)
        await proxy.set(
          .with {
            $0.drop = 60
            $0.double = 60
            $0.delay = 60
            $0.truncate = 20
            $0.corrupt = 60
          }, for: .publication)
      }
      let sent = try await withThrowingTaskGroup(of: [History.Sent].self) { group in
        for (index, connection) in connections.enumerated() {
          let mirror = mirrors[index]
          group.addTask { await Self.write(index, connection, mirror) }
        }
        for (index, proxy) in proxies.enumerated() {
          // Once each has been at it for a while.
          let mirror = mirrors[index]
          try await mirror.wait { ($0.value.elements?.count ?? 0) > 20 * index }
          try await proxy.cut()
        }
        await daemon.process.kill()
        daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
        return try await group.reduce(into: []) { $0 += $1 }
      }
      for proxy in proxies { await proxy.set(FaultRates(), for: .request, .reply, .publication) }
      let (value, _) = try await calm.fetch("workspace", parameters: .text("/fire"))
      var history = History(digest: value.digest)
      history.sent = sent
      for mirror in mirrors {
        try await mirror.wait { $0.isFresh && $0.digest == value.digest }
        history.sightings.append(await mirror.sightings)
      }
      history.applied = (value.elements ?? []).compactMap(\.string)
      #expect(history.violations() == [], "seed \(seed)")
      #expect(sent.count == Self.clients * Self.actions)
      for proxy in proxies { #expect(await proxy.tally.values.reduce(0, +) > 0, "seed \(seed)") }
      for connection in connections { await connection.close() }
      await calm.close()
      for proxy in proxies { await proxy.stop() }
      #expect(await daemon.process.terminate() == .exited(0))
    }

    private static func write(
      _ client: Int, _ connection: DaemonConnection, _ mirror: MirrorProbe
    ) async -> [History.Sent] {
      var sent: [History.Sent] = []
      for number in 0..<actions {
        let token = History.Sent.token(client, number)
        let entry = WorkspaceEntry.append("/fire", .text(token))
        do {
          let receipt = try await connection.perform(entry)
          sent.append(
            .init(
              client: client, number: number, outcome: .applied(commit: receipt.commit.rawValue)))
        } catch {
          sent.append(
            .init(
              client: client, number: number, outcome: error.isCertain ? .notApplied : .unknown))
        }
      }
      return sent
    }

    @Test("The last delta before silence is lost: the mirror is exact within two heartbeats")
    func lastDelta() async throws {
      let link = try await BadLink()
      try await link.show(1)
      await link.proxy.dropNext(1, .publication) { $0.first?.first == UInt8(ascii: "D") }
      let start = ContinuousClock.now
      try await link.show(2)
      #expect(await link.proxy.tally[.publication] == 1)
      // Beats come after 1 and 2 s; the bound leaves room for a busy machine, not for a third one.
      #expect(ContinuousClock.now - start < .seconds(4))
      #expect(await link.end() == .exited(0))
    }

    @Test("A reply that is lost: the same action is sent again, and applied once")
    func lostReply() async throws {
      let link = try await BadLink()
      try await link.show(0)
      await link.proxy.dropNext(2, .reply)
      let receipt = try await link.far.perform(WorkspaceEntry.increment("/a"))
      #expect(receipt.changed)
      #expect(await link.proxy.tally[.reply] == 2)
      let (value, _) = try await link.far.fetch("workspace", parameters: .text("/a"))
      #expect(value.integer == 1)
      #expect(await link.end() == .exited(0))
    }

    @Test("A half-open link: the mirror says that it is stale, and is exact again afterwards")
    func halfOpen() async throws {
      let link = try await BadLink()
      try await link.show(1)
      await link.proxy.setSilent(true)
      try await link.mirror.wait { !$0.isFresh }
      _ = try await link.near.perform(WorkspaceEntry.load("a", .unsigned(2)))
      #expect(await link.mirror.value["a"]?.integer == 1)
      await link.proxy.setSilent(false)
      try await link.mirror.wait { $0.isFresh && $0.value["a"]?.integer == 2 }
      #expect(await link.end() == .exited(0))
    }

    @Test("A link that freezes and goes on: what had waited comes late and spoils nothing")
    func frozen() async throws {
      let link = try await BadLink()
      try await link.show(0)
      await link.proxy.setFrozen(true)
      for _ in 0..<50 { _ = try await link.near.perform(WorkspaceEntry.increment("/a")) }
      try await link.mirror.wait { !$0.isFresh }
      await link.proxy.setFrozen(false)
      try await link.mirror.wait { $0.isFresh && $0.value["a"]?.integer == 50 }
      #expect(try await link.far.perform(WorkspaceEntry.increment("/a")).changed)
      #expect(await link.end() == .exited(0))
    }

    /// A daemon, a client beside it, and one that mirrors it through a proxy.
    private struct BadLink {
      let daemon: DaemonProcess
      let proxy: FaultProxy
      let near: DaemonConnection
      let far: DaemonConnection
      let mirror: MirrorProbe

      init() async throws {
        let folder = try ScratchFolder()
        daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
        proxy = try await FaultProxy.start(to: daemon.endpoints, in: folder)
        near = try await daemon.connect()
        far = try await DaemonConnection(.init(endpoints: proxy.endpoints))
        mirror = await Workshop.mirror(far)
      }

      /// Sets the number, and waits until the mirror has it.
      func show(_ number: Int) async throws {
        _ = try await near.perform(WorkspaceEntry.load("a", .unsigned(UInt64(number))))
        try await mirror.wait { $0.isFresh && $0.value["a"]?.integer == number }
      }

      func end() async -> ChildProcess.Ending {
        await far.close()
        await near.close()
        await proxy.stop()
        return await daemon.stop()
      }
    }
  }
}
