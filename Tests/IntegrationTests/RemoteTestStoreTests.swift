import Composable
import Seeds
import Showcase
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import TestSupport
import Testing

extension Spawned {
  /// What a remote test store says of what it does not let pass, word for word.
  @Suite("Rule 23: a remote test store")
  @MainActor
  struct RemoteTestStoreTests {
    private typealias TestStore = RemoteTestStore<Trigger.State, Trigger.Action>

    private func said(
      _ use: (TestStore, DaemonProcess) async throws -> Void
    ) async throws -> [String] {
      let daemon = try await DaemonProcess.start(
        "SeedsDaemon", isDurable: false, environment: ["SEED": "refresh"])
      let said = try await Failures.of {
        let store = try await daemon.testStore(
          "seed", of: Trigger.State.self, action: Trigger.Action.self)
        try await use(store, daemon)
      }.messages
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
      return said
    }

    @Test("Rule 23: a restart of the daemon publishes nothing that is to be asserted")
    func restarted() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "refresh"])
      let said = try await Failures.of {
        let store = try await daemon.testStore(
          "seed", of: Trigger.State.self, action: Trigger.Action.self)
        await store.send(.refreshTapped) { $0.refreshingID = 1 }
        let again = try await daemon.restart()
        // The mirror has its value anew by the time that an action is answered.
        await store.send(.refreshTapped) { $0.refreshingID = 2 }
        #expect(await again.stop() == .exited(0), "\(again.log)")
      }.messages
      #expect(said == [])
    }

    @Test("Rule 23: a change that is not asserted, another one, and a closure that changes nothing")
    func changes() async throws {
      let said = try await said { store, _ in
        await store.send(.refreshTapped)
        await store.send(.refreshTapped) { $0.refreshingID = 5 }
        await store.send(.loaded([])) { $0.loaded = [] }
      }
      #expect(
        said == [
          """
          .refreshTapped changed the state, and nothing was asserted of it:

            State(
          -   refreshingID: 0,
          +   refreshingID: 1,
              loaded: []
            )

          (- before, + after)

          Say so in a closure: 'await store.send(…) { $0.… = … }'.
          """,
          """
          The state after .refreshTapped is not the expected one:

            State(
          -   refreshingID: 5,
          +   refreshingID: 2,
              loaded: []
            )

          (- expected, + found)

          Let the closure make this state, or mend the reducer.
          """,
          """
          The closure for .loaded([]) changes nothing, and neither did the action. Leave the closure \
          out, or let it make the change that is expected.
          """,
        ])
    }

    @Test("Rule 23: publications that are not asserted, before an action and at the end")
    func publications() async throws {
      let said = try await said { store, daemon in
        let other = try await daemon.testStore(
          "seed", of: Trigger.State.self, action: Trigger.Action.self)
        for number in 1...2 {
          await other.send(.refreshTapped) { $0.refreshingID = number }
          if number == 1 { await store.receive { $0.refreshingID = 1 } }
        }
        for await state in store.store.values where state.refreshingID == 2 { break }
        await store.send(.loaded(["x"])) { $0.loaded = ["x"] }
        await other.receive { $0.loaded = ["x"] }
        await other.send(.loaded([])) { $0.loaded = [] }
        for await state in store.store.values where state.loaded == [] { break }
      }
      #expect(
        said == [
          """
          .loaded(["x"]) was sent while publications had not been asserted:

          commit 2:
            State(
          -   refreshingID: 1,
          +   refreshingID: 2,
              loaded: []
            )

          Assert each with 'await store.receive { $0.… = … }', or wait for what counts with 'await \
          store.receive(until: { … })'.
          """,
          """
          The test ended while publications had not been asserted:

          commit 4:
            State(
              refreshingID: 2,
          -   loaded: [
          -     "x"
          -   ]
          +   loaded: []
            )

          Assert each with 'await store.receive { $0.… = … }', or wait for what counts with 'await \
          store.receive(until: { … })'.
          """,
        ])
    }

    @Test("Rule 23: a publication that does not come in time")
    func late() async throws {
      let said = try await said { store, _ in
        await store.receive(timeout: .milliseconds(1))
      }
      #expect(
        said == [
          """
          No publication as expected came within 0.001 seconds. The view was last:

            State(
              refreshingID: 0,
              loaded: []
            )

          A view is published only when it has changed: look at the daemon's log ('daemon.log', \
          'await store.takeSteps()'), or give it more time ('receive(timeout: …)').
          """
        ])
    }

    @Test("Rule 23: steps of the daemon's log: another one, another sender, none")
    func steps() async throws {
      let said = try await said { store, _ in
        await store.send(.refreshTapped) { $0.refreshingID = 1 }
        await store.send(.loadTapped)
        await store.receive { $0.loaded = ["fresh"] }
        try await store.receiveStep(.loadTapped, from: .client)
        try await store.receiveStep(.loadTapped, from: .effect(of: CommitNumber(rawValue: 1)))
        try await store.receiveStep(.loaded(["fresh"]))
        try await store.receiveStep(.refreshTapped)
      }
      try #require(said.count == 3, "\(said)")
      let number = try #require(said[0].firstMatch(of: /client (\d+)/)?.1)
      #expect(
        said == [
          """
          The daemon's log has another step than .loadTapped of a client:

            commit 1, client \(number): .refreshTapped

          Assert the steps in the order of the log, or mend who sent it.
          """,
          """
          The daemon's log has another step than .loadTapped of an effect of commit 1:

            commit 2, client \(number): .loadTapped

          Assert the steps in the order of the log, or mend who sent it.
          """,
          """
          The daemon's log has no further step: expected .refreshTapped. Wait for what it publishes \
          before, with 'await store.receive(until: { … })'.
          """,
        ])
    }

    @Test("Rule 23: an action that changes the state and not the view is told from one that does")
    func notOfThisView() async throws {
      let daemon = try await DaemonProcess.start("statecastd", isDurable: false)
      let store = try await daemon.store(
        "counter", of: Counter.ViewState.self, action: ShowcaseApp.Action.self)
      let other = try await daemon.store(
        "counter", of: Counter.ViewState.self, action: ShowcaseApp.Action.self)
      for prime in [2, 3, 5] {
        let (receipt, published) = try await store.performPublished(.favoritePrimes(.save(prime)))
        #expect(receipt.changed)
        #expect(published == nil)
        // What somebody else makes of the view next is not this action's doing.
        let theirs = try await other.performPublished(.counter(.incrementButtonTapped))
        #expect(theirs.published == theirs.receipt.commit)
        #expect(theirs.receipt.commit > receipt.commit)
      }
      // It has seen all of that before the test of it begins: what others did is no wait of its own.
      for await state in store.values where state.count == 3 { break }
      let tests = try await RemoteTestStore(store)
      await tests.send(.favoritePrimes(.save(7)))
      try await other.perform(.counter(.incrementButtonTapped))
      await tests.receive { $0.count = 4 }
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("Rule 23: an action that is refused, otherwise than expected, or not at all")
    func refusals() async throws {
      let daemon = try await DaemonProcess.start("statecastd", isDurable: false)
      let said = try await Failures.of {
        let store = try await daemon.testStore(
          "primes", of: FavoritePrimes.ViewState.self, action: ShowcaseApp.Action.self)
        await store.send(.favoritePrimes(.save(4)))
        await store.send(.favoritePrimes(.save(4)), refusedWith: .invalid)
        await store.send(.favoritePrimes(.save(4)), refusedWith: .conflict)
        await store.send(.favoritePrimes(.remove([4])), refusedWith: .invalid)
        let steps = try await store.takeSteps().map {
          "\($0)".replacing(/client \d+/, with: "client")
        }
        let refused =
          "commit 1, client: .favoritePrimes(.save(4)) (invalid: 4 is no prime: only primes can be "
          + "favourites)"
        #expect(
          steps == [
            refused, refused, refused, "commit 2, client: .favoritePrimes(.remove([4]))",
          ])
      }.messages
      #expect(
        said == [
          """
          .favoritePrimes(.save(4)) was refused (invalid: 4 is no prime: only primes can be \
          favourites).

          Assert that with 'refusedWith: .invalid', or mend the reducer.
          """,
          """
          .favoritePrimes(.save(4)) was refused (invalid: 4 is no prime: only primes can be \
          favourites), not conflict.

          Assert that with 'refusedWith: .invalid', or mend the reducer.
          """,
          """
          .favoritePrimes(.remove([4])) was to be refused (invalid), and was not. Leave \
          'refusedWith:' out, or let the reducer or 'authorize(_:origin:)' refuse it.
          """,
        ])
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }
  }
}
