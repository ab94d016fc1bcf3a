import Showcase
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing
import ZeroMQ

extension Spawned {
  /// A firewall that lets one port through, or a wrong endpoint: everything is answered, nothing that
  /// is published arrives. A watch was silent for ever then.
  @Suite("Requests are answered, publications do not arrive")
  struct UnheardTests {
    let folder: ScratchFolder
    let daemon: DaemonProcess
    let proxy: FaultProxy

    init() async throws {
      folder = try ScratchFolder()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      proxy = try await FaultProxy.start(to: daemon.endpoints, in: folder)
    }

    private func cutPublications(_ isCut: Bool = true) async {
      await proxy.set(.with { $0.drop = isCut ? 1000 : 0 }, for: .publication)
    }

    private var options: [String] {
      [
        "--requests", proxy.endpoints.requests, "--publications", proxy.endpoints.publications,
      ]
    }

    private var advice: String {
      "Try: Requests go to \(proxy.endpoints.requests), publications are expected from "
        + "\(proxy.endpoints.publications): is that the same daemon's, and does a firewall let it "
        + "through?\n"
    }

    @Test("watch says so on standard error, and goes on by itself once they come")
    func watch() async throws {
      await cutPublications()
      let watch = try Conversation(
        Workshop.tool, ["watch", "counter"] + options, at: .pipe, name: "watch", in: folder)
      try await watch.wait(
        for: #"{"stale":"the daemon answers, and nothing that it publishes arrives"}"#)
      // The note is another task's.
      while !watch.process.errors.hasSuffix(advice) {
        try Task.checkCancellation()
        await Task.yield()
      }
      #expect(
        watch.process.errors
          == "-- The daemon answers, and nothing that it publishes arrives.\n" + advice)
      await cutPublications(false)
      try await watch.wait(for: #"{"sync":"#)
      try await watch.wait(for: #"{"fresh":"#)
      await watch.process.terminate()
      await stop()
    }

    @Test("mirror ends at its time, with what to check; get needs no publication")
    func mirror() async throws {
      await cutPublications()
      let mirror = try await Workshop.finish(
        Workshop.tool, ["mirror", "counter"] + options, in: folder)
      #expect(mirror.ending == .exited(1))
      #expect(
        mirror.errors.hasPrefix(
          "-- The daemon answers, and nothing that it publishes arrives.\n" + advice),
        "\(mirror.errors)")
      let get = try await Workshop.finish(Workshop.tool, ["get", "counter"] + options, in: folder)
      #expect(get.ending == .exited(0))
      await stop()
    }

    @Test(
      "A store that gets no first value says what is missing; one that has one is stale, and why")
    @MainActor func store() async throws {
      var options = DaemonConnection.Options(endpoints: proxy.endpoints)
      options.timeout = .seconds(60)
      let connection = try await DaemonConnection(options)
      let store = try await connection.store(
        "counter", of: Counter.ViewState.self, action: ShowcaseApp.Action.self)
      #expect(!store.isStale)
      await cutPublications()
      let reason = "the daemon answers, and nothing that it publishes arrives"
      while store.staleness?.reason != reason {
        try Task.checkCancellation()
        await Task.yield()
      }
      #expect(store.isStale)

      options.timeout = .seconds(6)
      let late = try await DaemonConnection(options)
      do {
        _ = try await late.store(
          "counter", of: Counter.ViewState.self, action: ShowcaseApp.Action.self)
        Issue.record("there is no value to be had")
      } catch {
        #expect(error.message == "the view counter did not come in time: \(reason)")
        #expect("Try: \(error.advice)\n" == advice)
      }
      await cutPublications(false)
      while store.isStale {
        try Task.checkCancellation()
        await Task.yield()
      }
      await late.close()
      await connection.close()
      await stop()
    }

    @Test("Another daemon's publications are told from none")
    func stranger() async throws {
      let elsewhere = try ScratchFolder()
      let other = try await DaemonProcess.start(Workshop.daemon, in: elsewhere, isDurable: false)
      let watch = try Conversation(
        Workshop.tool,
        [
          "watch", "counter", "--requests", daemon.endpoints.requests, "--publications",
          other.endpoints.publications,
        ], at: .pipe, name: "watch", in: folder)
      try await watch.wait(
        for: #"{"stale":"another daemon publishes than the one that answers"}"#)
      await watch.process.terminate()
      #expect(await other.process.terminate() == .exited(0))
      await stop()
    }

    private func stop() async {
      await proxy.stop()
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
