import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  /// A process may end as soon as its connection is closed: what it said last has to be there by then.
  @Suite("The goodbye of a client", .timeLimit(.minutes(5)))
  struct GoodbyeTests {
    private let daemon: DaemonProcess
    private let proxy: FaultProxy
    private let near: DaemonConnection

    init() async throws {
      let folder = try ScratchFolder()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      proxy = try await FaultProxy.start(to: daemon.endpoints, in: folder)
      near = try await daemon.connect()
    }

    private func connect(farewell: Duration) async throws -> DaemonConnection {
      var options = DaemonConnection.Options(endpoints: proxy.endpoints)
      (options.isPresent, options.name, options.farewell) = (true, "far", farewell)
      let far = try await DaemonConnection(options)
      _ = try await far.ask(.stats)
      #expect(try await isListed())
      return far
    }

    private func isListed() async throws -> Bool {
      guard case .value(let sessions) = try await near.ask(.sessions).body else { return false }
      return sessions.elements?.contains { $0["name"]?.string == "far" && $0["present"] == true }
        ?? false
    }

    private func end() async {
      await near.close()
      await proxy.stop()
      #expect(await daemon.stop() == .exited(0))
    }

    @Test("The daemon has read it when closing returns, also by a link that delays it")
    func read() async throws {
      let far = try await connect(farewell: .seconds(60))
      await proxy.set(
        .with {
          $0.delay = 1000
          $0.longestDelay = 200
        }, for: .request)
      await far.close()
      #expect(try await !isListed())
      await end()
    }

    @Test("A daemon that does not answer is waited for as long as it is to be, and no longer")
    func silent() async throws {
      let far = try await connect(farewell: .milliseconds(20))
      await proxy.setFrozen(true)
      await far.close()
      await proxy.setFrozen(false)
      await end()
    }

    @Test("Closed by two at once, and again, it says goodbye once, and all of them go on")
    func twice() async throws {
      let far = try await connect(farewell: .seconds(60))
      async let first: Void = far.close()
      async let second: Void = far.close()
      _ = await (first, second)
      await far.close()
      #expect(try await !isListed())
      await end()
    }
  }
}
