import Composable
import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  /// A client of an app's first version sets fields that the daemon's version calls otherwise.
  @Suite("Rule 15: bindings under their former names, between processes")
  @MainActor
  struct RenamedTests {
    typealias Second = Renamed.Second
    let folder: ScratchFolder
    let daemon: DaemonProcess

    init() async throws {
      folder = try ScratchFolder()
      daemon = try await DaemonProcess.start(
        "SeedsDaemon", in: folder, environment: ["SEED": "renamed"])
    }

    @Test("Rules 15 and 17: by an action, compared, of an element, and from the command line")
    func former() async throws {
      let earlier = try await daemon.store(
        "seed", of: Renamed.State.self, action: Renamed.Action.self)
      let now = try await daemon.testStore(
        "seed", of: Second.State.self, action: Second.Action.self)

      try await earlier.perform(.binding(.set(\.$title, "one")))
      await now.receive { $0.name = "one" }
      try await now.receiveStep(.binding(.set(\.$name, "one")), from: .client)

      // Compare-and-set names the field, by the name that this client knows.
      try await earlier.perform(.binding(.set(\.$title, "two")), expecting: "one")
      await now.receive { $0.name = "two" }
      let late = await #expect(throws: ActionFailure.self) {
        try await earlier.perform(.binding(.set(\.$title, "three")), expecting: "one")
      }
      #expect(late?.code == .conflict)

      // The case that leads to a row was renamed too.
      try await earlier.perform(.row(id: 7, action: .binding(.set(\.$text, "milk"))))
      await now.receive { $0.lines[id: 7]?.label = "milk" }
      try await earlier.perform(
        .row(id: 7, action: .binding(.set(\.$text, "bread"))), expecting: "milk")
      await now.receive { $0.lines[id: 7]?.label = "bread" }
      let gone = await #expect(throws: ActionFailure.self) {
        try await earlier.perform(.row(id: 9, action: .binding(.set(\.$text, "x"))))
      }
      #expect(gone?.code == .gone)
      #expect(gone?.message == "what line.9.label belongs to is not there any more")

      for (name, value) in [("title", "four"), ("row.7.text", "eggs")] {
        let set = try await Workshop.run("set", name, value, in: folder)
        #expect(set.ending == .exited(0), "\(set.errors)")
      }
      await now.receive(until: { $0.lines[id: 7]?.label == "eggs" && $0.name == "four" })
      let unknown = try await Workshop.run("set", "row.7.caption", "x", in: folder)
      #expect(unknown.errors.contains("row.7.caption may not be set from outside"))
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("Rules 15 and 17: through a view that carries the field, which an earlier client reads")
    func carried() async throws {
      let earlier = try await daemon.store(
        "shown", of: Renamed.Shown.self, action: Renamed.Action.self)
      let now = try await daemon.testStore(
        "shown", of: Second.Shown.self, action: Second.Action.self)
      let view = ViewStore(earlier, observe: { $0 })
      view.$text.wrappedValue = "mine"
      #expect(view.$text.wrappedValue == "mine")
      await now.receive(until: { $0.text == "mine" })
      for await state in earlier.values where state.text == "mine" { break }
      // And back: what the present version sets, the earlier one shows.
      ViewStore(now.store, observe: { $0 }).$text.wrappedValue = "yours"
      for await state in earlier.values where state.text == "yours" { break }
      #expect(view.$text.wrappedValue == "yours")
      #expect(earlier.omissions.isEmpty)
      await now.receive(until: { $0.text == "yours" })
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }
  }
}
