import Composable
import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  /// What a daemon says of an app whose author forgot something.
  @Suite("Rules 18, 20 and 21 between processes: what an author forgot is told")
  @MainActor
  struct UnfinishedTests {
    typealias Remote = RemoteTestStore<Unfinished.State, Unfinished.Action>

    private func start(
      places: String = "all"
    ) async throws -> (daemon: DaemonProcess, store: Remote) {
      let daemon = try await DaemonProcess.start(
        "SeedsDaemon", environment: ["SEED": "unfinished", "PLACES": places])
      let store = try await daemon.testStore(
        "seed", of: Unfinished.State.self, action: Unfinished.Action.self)
      store.exhaustivity = .off
      return (daemon, store)
    }

    private func refusal(
      of id: AlertState<Unfinished.Action.Alert>.ID?, on store: Remote, button: UInt64? = 0
    ) async throws -> ActionFailure? {
      let alert = Value(of: try #require(id)).encoded()
      return await #expect(throws: ActionFailure.self) {
        try await store.store.connection.perform(Entry(.answer(alert: alert, button: button)))
      }
    }

    @Test("Rule 18: without BindingReducer a client that sets a field is told, and so is the log")
    func bindingReducer() async throws {
      let (daemon, store) = try await start()
      let failure = await #expect(throws: ActionFailure.self) {
        try await store.store.perform(.binding(.set(\.$title, "x")))
      }
      #expect(failure?.code == .notSettable)
      #expect(
        failure?.message == "no reducer of the app applies title: its BindingReducer() is missing")
      #expect(store.state.title == "")
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
      #expect(daemon.log.contains("Add 'BindingReducer()' to the body"), "\(daemon.log)")
    }

    @Test("Rule 20: without its ifLet a presented alert is not answered twice, but not at all")
    func ifLet() async throws {
      let (daemon, store) = try await start()
      await store.send(.stuckAsked)
      for button: UInt64? in [0, 0, nil] {
        let failure = try await refusal(of: store.state.stuck?.id, on: store, button: button)
        #expect(failure?.code == .rejected)
        #expect(
          failure?.message
            == "the app does not take an answered question away: its ifLet is missing")
      }
      #expect(store.state.confirmations == 0)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
      #expect(
        daemon.log.contains(
          #"An alert was answered, but is still up. Add '.ifLet(\.$alert, action: \.alert)'"#),
        "\(daemon.log)")
    }

    @Test("Rule 20: nor is an alert whose dismissal the reducer ignores")
    func dismissal() async throws {
      let (daemon, store) = try await start()
      await store.send(.ignoredAsked)
      let failure = try await refusal(of: store.state.ignored?.id, on: store)
      #expect(failure?.code == .rejected)
      #expect(
        failure?.message
          == "the app does not take an answered question away: its action for that does nothing")
      #expect(store.state.confirmations == 0)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
      #expect(
        daemon.log.contains("Let the reducer set it to nil at the action that its 'AlertPlace'"),
        "\(daemon.log)")
    }

    @Test("Rule 21: a daemon that was not told where its alerts are says so to who answers one")
    func places() async throws {
      let (daemon, store) = try await start(places: "none")
      await store.send(.stuckAsked)
      let failure = try await refusal(of: store.state.stuck?.id, on: store)
      #expect(failure?.code == .gone)
      #expect(
        failure?.message == "this app has not said where its questions are: no alertPlaces")
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }
  }
}
