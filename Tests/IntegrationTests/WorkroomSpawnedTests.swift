import Composable
import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  /// Children, effects and their time in a daemon, as remote stores see them. The daemon's clock
  /// stands still until an action moves it.
  @Suite("Rules 7, 8 and 10 to 14 between processes: children, effects, dependencies")
  @MainActor
  struct WorkroomTests {
    typealias Remote = RemoteTestStore<Workroom.State, Workroom.Action>
    let daemon: DaemonProcess
    let store: Remote
    /// Another process' way to the same state.
    let other: RemoteStore<Workroom.State, Workroom.Action>

    init() async throws {
      daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "workroom"])
      store = try await daemon.testStore(
        "seed", of: Workroom.State.self, action: Workroom.Action.self)
      store.exhaustivity = .off
      other = try await daemon.store(
        "seed", of: Workroom.State.self, action: Workroom.Action.self)
    }

    /// Moves the daemon's clock by a second at a time until the view is as it is to be: what an effect
    /// waits for may begin after the first moves.
    private func moveClock(until isExpected: (Workroom.State) -> Bool) async {
      for _ in 0..<1_000 where !isExpected(store.state) { await store.send(.clockMoved(1_000)) }
      if !isExpected(store.state) { await store.receive(until: isExpected) }
    }

    private func end(sourceLocation: Testing.SourceLocation = #_sourceLocation) async {
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)", sourceLocation: sourceLocation)
    }

    @Test(
      "Rule 7: a child that goes away, changes case or is replaced has its effects cancelled in the daemon"
    )
    func goneChildren() async throws {
      let job = Workroom.Job(id: 1)
      // Those that go begin first: each would be done before the one that stays.
      await store.send(.urgentChanged(job))
      await store.send(.urgent(.began))
      await store.send(.shift(.changed(.on(job))))
      await store.send(.shift(.on(.began)))
      for id in 1...3 {
        await store.send(.jobAdded(Workroom.Job(id: id)))
        await store.send(.jobs(.element(id: id, action: .began)))
      }
      // Another client takes them away.
      try await other.perform(.urgentChanged(Workroom.Job(id: 2)))
      try await other.perform(.shift(.changed(.night(job))))
      try await other.perform(.jobRemoved(1))
      try await other.perform(.jobAdded(Workroom.Job(id: 1)))
      await moveClock { $0.jobs[id: 3]?.isDone == true }
      #expect(store.state.jobs[id: 2]?.isDone == true, "what stays goes on")
      #expect(store.state.jobs[id: 1]?.isDone == false)
      #expect(store.state.urgent == Workroom.Job(id: 2))
      #expect(store.state.shift == .night(job))
      let finished = try await store.takeSteps().filter { $0.cause != nil }
      #expect(finished.count == 2, "\(finished)")

      // Of the same case and with another id.
      await store.send(.shift(.changed(.on(Workroom.Job(id: 1)))))
      await store.send(.shift(.on(.began)))
      await store.send(.shift(.changed(.on(Workroom.Job(id: 2)))))
      await store.send(.urgent(.began))
      await moveClock { $0.urgent?.isDone == true }
      #expect(store.state.shift == .on(Workroom.Job(id: 2)))
      await end()
    }

    @Test("Rule 7: an action for a child that is absent is reported by the daemon, which goes on")
    func absentChild() async throws {
      let receipt = try #require(await store.send(.urgent(.began)))
      #expect(!receipt.changed)
      try await other.perform(.jobs(.element(id: 9, action: .began)))
      await store.send(.logged("goes on")) { $0.log = ["goes on"] }
      await end()
      #expect(
        daemon.log.contains(
          "ifLet received an action (Action) for a child that is not in the state; only the parent ran"
        ), "\(daemon.log)")
    }

    @Test("Rule 10: a parent cancels its children's effects in the daemon, whoever asks for it")
    func cancelled() async throws {
      for id in 1...2 {
        await store.send(.jobAdded(Workroom.Job(id: id)))
        await store.send(.jobs(.element(id: id, action: .began)))
      }
      try await other.perform(.workCancelled)
      await store.send(.urgentChanged(Workroom.Job(id: 3)))
      await store.send(.urgent(.began))
      await moveClock { $0.urgent?.isDone == true }
      #expect(store.state.jobs.allSatisfy { !$0.isDone })
      await end()
    }

    @Test(
      "Rule 11: an error goes to the catch, or into the daemon's log; a cancellation to neither")
    func errors() async throws {
      for ending in [Workroom.Action.Failure.cancelled, .uncaught, .caught] {
        try await other.send(.failed(ending)).value
      }
      await store.receive(until: { $0.log == ["caught caught"] })
      try await other.send(.failed(.late)).value
      await store.receive(until: { $0.log.count > 1 })
      #expect(store.state.log == ["caught caught", "in time"])
      await end()
      let log = daemon.log
      #expect(log.contains("was sent by an effect that has ended; it was ignored"), "\(log)")
      #expect(log.contains("An effect threw an error that nobody handles: uncaught."), "\(log)")
      #expect(!log.contains("CancellationError"), "\(log)")
    }

    @Test(
      "Rule 12: a debounce in the daemon runs only the last one's work, whichever client was last")
    func debounce() async throws {
      try await other.perform(.typed("a"))
      await store.send(.typed("ab"))
      try await other.perform(.typed("abc"))
      await moveClock { !$0.found.isEmpty }
      #expect(store.state.found == ["abc"])
      // It waits anew for the next one.
      await store.send(.typed("abcd"))
      await moveClock { $0.found.count > 1 }
      #expect(store.state.found == ["abc", "abcd"])
      // Rule 8: what its change does is part of the commit.
      #expect(store.state.log == ["found: 0 → 1", "found: 1 → 2"])
      await end()
    }

    @Test("Rule 12: a throttle in the daemon lets the first through, then the latest of those held")
    func throttle() async throws {
      await store.send(.scrolled(1))
      await store.receive(until: { $0.drawn == [1] })
      for place in 2...4 { try await other.perform(.scrolled(place)) }
      await moveClock { $0.drawn.count > 1 }
      #expect(store.state.drawn == [1, 4])
      await end()
    }

    @Test(
      "Rule 13: a commit's dependencies are the daemon's, name the client, and are replayed as they were"
    )
    func dependencies() async throws {
      await store.send(.stamped)
      let receipt = try await other.perform(.stamped, until: .durable)
      await store.receive(until: { $0.stamps.count == 2 })
      let stamps = store.state.stamps
      #expect(stamps[1].commit == receipt.commit.rawValue)
      #expect(stamps[0].origin != nil && stamps[1].origin != nil)
      #expect(stamps[0].origin != stamps[1].origin)
      #expect(stamps[0].id != stamps[1].id)
      // Killed, it makes the same state of its journal.
      let again = try await daemon.restart()
      await store.send(.logged("back"))
      #expect(store.state.stamps == stamps)
      #expect(await again.stop() == .exited(0), "\(again.log)")
      let replay = try await Workshop.finish(
        Products.path("SeedsDaemon"), ["replay", "--verify", daemon.folder.file("state")],
        in: daemon.folder, environment: ["SEED": "workroom"])
      #expect(replay.ending == .exited(0), "\(replay.output)\(replay.errors)")
    }

    @Test("Rule 14: reducers before BindingReducer see the old value, those after it the new one")
    func bindings() async throws {
      await store.send(.binding(.set(\.$filter, "a")))
      try await other.perform(.binding(.set(\.$filter, "b")))
      await store.receive(until: { $0.filter == "b" })
      #expect(store.state.log == ["before: ", "after: a", "before: a", "after: b"])
      await end()
    }

    @Test("Rules 19 and 20: a presented alert is delivered each time, and goes with its answer")
    func presentation() async throws {
      await store.send(.asked)
      let first = try #require(store.state.alert)
      try await other.perform(.asked)
      await store.receive(until: { $0.alert?.id != first.id })
      let second = try #require(store.state.alert)
      #expect(first == second, "the same text, and yet a second question")

      let connection = other.connection
      let answer = Entry(.answer(alert: Value(of: second.id).encoded(), button: 0))
      _ = try await connection.perform(answer)
      await store.receive(until: { $0.alert == nil })
      // One commit: nobody sees the answer without the alert's going.
      #expect(store.state.log == ["confirmed"])
      let late = await #expect(throws: ActionFailure.self) { try await connection.perform(answer) }
      #expect(late?.code == .alreadyAnswered)
      // One without an action dismisses.
      await store.send(.asked)
      let third = try #require(store.state.alert?.id)
      _ = try await connection.perform(
        Entry(.answer(alert: Value(of: third).encoded(), button: 1)))
      await store.receive(until: { $0.alert == nil })
      #expect(store.state.log == ["confirmed", "dismissed"])
      await end()
    }
  }
}
