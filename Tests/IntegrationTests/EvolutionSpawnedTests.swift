import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  /// Clients and daemons of two versions of one app.
  @Suite("State evolution, between processes")
  @MainActor
  struct EvolutionSpawnedTests {
    typealias First = RemoteStore<Ledger.State, Ledger.Action>

    func start(_ version: String, in folder: ScratchFolder) async throws -> DaemonProcess {
      try await DaemonProcess.start("SeedsDaemon", in: folder, environment: ["SEED": version])
    }

    func store<ViewState: Mirrored, Action: Mirrored>(
      _ daemon: DaemonProcess, of: ViewState.Type, action: Action.Type
    ) async throws -> RemoteStore<ViewState, Action> {
      try await daemon.connect().store("seed", of: ViewState.self, action: Action.self)
    }

    /// Waits until the mirror shows a value of which this holds.
    func wait<ViewState, Action>(
      for store: RemoteStore<ViewState, Action>, until holds: (ViewState) -> Bool
    ) async {
      for await state in store.values where holds(state) { return }
    }

    @Test(
      "An earlier client stays attached when a later daemon takes the journal, and loses nothing")
    func earlierClient() async throws {
      let folder = try ScratchFolder()
      let before = try await start("ledger", in: folder)
      let earlier = try await store(before, of: Ledger.State.self, action: Ledger.Action.self)
      _ = try await earlier.perform(.add("rent"), until: .mirrored)
      _ = try await earlier.perform(.rename("mine"), until: .mirrored)
      _ = await before.process.kill()

      let daemon = try await start("ledger-2", in: folder)
      #expect(daemon.log.contains("the state of another version migrated by commit 3"))
      let later = try await store(
        daemon, of: Ledger.Second.State.self, action: Ledger.Second.Action.self)
      #expect(later.state.name == "mine")
      #expect(later.state.rows.first?.tags == ["none"])

      // The earlier one goes on: what it sends is understood, and what it does not know is marked.
      _ = try await earlier.perform(.add("heating"), until: .mirrored)
      #expect(earlier.state.rows.map(\.text) == ["rent", "heating"])
      #expect(earlier.omissions.isEmpty)
      _ = try await later.perform(.postpone(0, until: "May"), until: .mirrored)
      await wait(for: earlier) { $0.rows.count == 1 }
      #expect(earlier.state.rows.map(\.text) == ["heating"])
      #expect(
        earlier.omissions.parts.map(\.description)
          == ["rows.0.status: there is no case 'postponed'"])
      #expect(!earlier.isStale)
      _ = try await earlier.perform(.rename("still mine"), until: .mirrored)
      await wait(for: later) { $0.name == "still mine" }
      #expect(later.state.rows.map(\.text) == ["rent", "heating"])
      #expect(later.state.rows[id: 0]?.status == .postponed(until: "May"))

      // Once there is nothing that it does not know it sees all again.
      _ = try await later.perform(
        .put(Ledger.Second.Row(id: 0, text: "rent", status: .paid, tags: ["flat"])),
        until: .mirrored)
      await wait(for: earlier) { $0.rows.count == 2 }
      #expect(earlier.omissions.isEmpty)
      #expect(earlier.state.rows[id: 0] == Ledger.Row(id: 0, text: "rent", status: .paid))
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("An earlier client with places sends back a row that keeps what it does not know")
    func carefulClient() async throws {
      let daemon = try await start("ledger-2", in: ScratchFolder())
      let later = try await store(
        daemon, of: Ledger.Second.State.self, action: Ledger.Second.Action.self)
      _ = try await later.perform(.add("rent"), until: .mirrored)
      _ = try await later.perform(.postpone(0, until: "May"), until: .mirrored)
      let earlier = try await store(
        daemon, of: Ledger.Careful.State.self, action: Ledger.Careful.Action.self)
      #expect(earlier.omissions.isEmpty)
      #expect(earlier.state.further["name"] == "second")
      var row = try #require(earlier.state.rows.first)
      row.text = "rent, in part"
      _ = try await earlier.perform(.put(row), until: .mirrored)
      await wait(for: later) { $0.rows.first?.text == "rent, in part" }
      #expect(
        later.state.rows.first
          == Ledger.Second.Row(
            id: 0, text: "rent, in part", status: .postponed(until: "May"), tags: ["none"]))
      // Of these changes it knows nothing, and follows them exactly.
      _ = try await later.perform(.rename("other"), until: .mirrored)
      await wait(for: earlier) { $0.further["name"] == "other" }
      #expect(earlier.state.further["changes"] == 4)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("A later client reads an earlier daemon, and is told which actions that does not know")
    func laterClient() async throws {
      let daemon = try await start("ledger", in: ScratchFolder())
      let later = try await store(
        daemon, of: Ledger.Second.State.self, action: Ledger.Second.Action.self)
      #expect(later.state.name == "ledger")
      _ = try await later.perform(.add("rent"), until: .mirrored)
      _ = try await later.perform(.rename("mine"), until: .mirrored)
      #expect(later.state.name == "mine")
      #expect(later.state.changes == 0)
      #expect(later.state.rows.map(\.tags) == [["none"]])
      let failure = await #expect(throws: ActionFailure.self) {
        _ = try await later.perform(.postpone(0, until: "May"))
      }
      #expect(failure?.code == .unknownAction)
      #expect(failure?.message == "there is no case 'postpone'")
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("An earlier daemon leaves a later one's journal alone, and says which version it needs")
    func earlierDaemon() async throws {
      let folder = try ScratchFolder()
      let before = try await start("ledger", in: folder)
      _ = await before.stop()
      _ = await (try await start("ledger-2", in: folder)).stop()
      let error = await #expect(throws: DaemonProcess.NotReady.self) {
        _ = try await start("ledger", in: folder)
      }
      #expect(
        error?.description.contains(
          "a later version of the app wrote it, and this one would lose a part") == true)
      let again = try await start("ledger-2", in: folder)
      #expect(await again.stop() == .exited(0), "\(again.log)")
    }

    @Test("A journal that holds a later version's state is replayed by that version, as is said")
    func earlierReplay() async throws {
      let folder = try ScratchFolder()
      let daemon = try await start("ledger-2", in: folder)
      let later = try await store(
        daemon, of: Ledger.Second.State.self, action: Ledger.Second.Action.self)
      _ = try await later.perform(.add("rent"), until: .mirrored)
      _ = try await later.perform(.postpone(0, until: "May"), until: .mirrored)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
      func replay(_ version: String) async throws -> Workshop.Run {
        try await Workshop.finish(
          Products.path("SeedsDaemon"), ["replay", "--verify", folder.file("state")], in: folder,
          environment: ["SEED": version])
      }
      let earlier = try await replay("ledger")
      #expect(earlier.ending == .exited(9), "\(earlier.output)\(earlier.errors)")
      #expect(
        earlier.errors.hasSuffix(
          "Try: replay it with the version of the app that wrote it: this one's state has another "
            + "schema.\n"), "\(earlier.errors)")
      let own = try await replay("ledger-2")
      #expect(own.ending == .exited(0), "\(own.output)\(own.errors)")
    }
  }
}
