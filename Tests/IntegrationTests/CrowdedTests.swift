import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing
import ZeroMQ

extension Spawned {
  @Suite("A daemon with 1,024 descriptors")
  struct CrowdedTests {
    /// How the daemon is reached.
    enum Transport: String, CaseIterable {
      case ipc, tcp
    }

    /// Descriptors of the daemon, soft and hard.
    static let descriptors = 1024
    /// Connections that stand at once, to each of the two sockets: together more than there are
    /// descriptors.
    static let together = 700
    static let rounds = 5
    /// The daemon's sockets when only the client is there: the two it listens on, and the client's three.
    static let sockets = 5
    /// Resident bytes that the daemon may have had at most. Each connection that stands costs libzmq
    /// some 20 kB, and half of the descriptors may be connections.
    static let residentBytes = 160 << 20

    @Test(
      "Floods of connections: it lives, within its bounds, and who was there notices nothing",
      arguments: Transport.allCases)
    func flood(transport: Transport) async throws {
      let folder = try ScratchFolder()
      let endpoints = try Self.endpoints(transport, in: folder)
      let daemon = try Self.launch(endpoints, in: folder)
      let client = try await Self.connect(endpoints)
      let mirror = await Workshop.mirror(client)
      try await mirror.wait { $0.isFresh }
      let figures = ProcessFigures(pid: daemon.pid)
      #expect(try figures.limit == Self.descriptors)
      let before = try figures.openDescriptors
      let seed = UInt64.random(in: .min ... .max)
      var noise = Noise(seed: seed)
      var most = before
      var connected = 0
      for round in 1...Self.rounds {
        var held: [Int32] = []
        var missed = 0
        for number in 0..<(2 * Self.together) {
          let endpoint = number.isMultiple(of: 2) ? endpoints.requests : endpoints.publications
          guard let descriptor = PlainStream.connect(endpoint) else {
            missed += 1
            if missed > 20 { break }
            continue
          }
          held.append(descriptor)
          // Silent, half a greeting or random bytes; some go at once.
          if number % 3 != 0 {
            PlainStream.write(noise.bytes(atMost: 64, greeting: true), to: descriptor)
          }
          if number % 10 == 0 { close(held.removeLast()) }
        }
        connected += held.count
        most = max(most, try figures.openDescriptors)
        let receipt = try await client.perform(WorkspaceEntry.load("a", .unsigned(UInt64(round))))
        try await mirror.wait(for: receipt.commit)
        #expect(daemon.ending == nil, "seed \(seed)\n\(daemon.errors)")
        for descriptor in held { close(descriptor) }
      }
      #expect(connected > Self.descriptors, "seed \(seed)")
      #expect(await mirror.staleReasons.isEmpty, "seed \(seed)")
      #expect(await mirror.value["a"]?.integer == Self.rounds)
      let resident = try figures.mostResident
      #expect(resident < Self.residentBytes, "seed \(seed)")
      // All is as before: the connections' descriptors are back, and who comes now is let in. (The
      // runtime may open one of its own for good when it first needs it.)
      while try figures.openSockets > Self.sockets {
        _ = try await client.perform(WorkspaceEntry.load("b", .null))
      }
      let late = try await Self.connect(endpoints)
      #expect(try await late.perform(WorkspaceEntry.load("c", .null)).changed)
      await late.close()
      await client.close()
      #expect(await daemon.terminate() == .exited(0), "\(daemon.errors)")
      print(
        "\(transport): \(connected) connections; descriptors \(before) before, \(most) at most; "
          + "\(resident >> 20) MiB at most")
    }

    private static func endpoints(
      _ transport: Transport, in folder: ScratchFolder
    ) throws -> DaemonEndpoints {
      switch transport {
      case .ipc: DaemonEndpoints(folder: folder.path)
      case .tcp:
        DaemonEndpoints(
          requests: "tcp://127.0.0.1:\(try #require(PlainStream.freePort()))",
          publications: "tcp://127.0.0.1:\(try #require(PlainStream.freePort()))")
      }
    }

    /// Through a shell that takes its descriptors away first.
    private static func launch(
      _ endpoints: DaemonEndpoints, in folder: ScratchFolder
    ) throws -> ChildProcess {
      try ChildProcess(
        "/bin/sh",
        [
          "-c", "ulimit -n \(descriptors) && exec \"$0\" \"$@\"", Workshop.daemon,
          "--folder", folder.path, "--state-directory", folder.file("state"), "--mode", "memory",
          "--requests", endpoints.requests, "--publications", endpoints.publications,
        ], name: "daemon", in: folder)
    }

    private static func connect(_ endpoints: DaemonEndpoints) async throws -> DaemonConnection {
      var options = DaemonConnection.Options(endpoints: endpoints)
      options.timeout = .seconds(30)
      return try await DaemonConnection(options)
    }
  }
}
