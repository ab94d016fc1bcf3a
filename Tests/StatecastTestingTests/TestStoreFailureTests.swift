import Composable
import StateModel
import TestSupport
import Testing

@testable import StatecastTesting

/// What a test store says of what it does not let pass, word for word.
@Suite("Rule 23: what a test store says", .timeLimit(.minutes(5)))
@MainActor
struct TestStoreFailureTests {
  let clock = TestClock()

  func makeStore() -> TestStoreOf<Search> {
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = clock
      $0.searchClient = SearchClient { [$0] }
    }
    store.timeout = .milliseconds(1)
    return store
  }

  /// What is said when `use` does to a store what it must not.
  func said(
    _ use: (TestStoreOf<Search>) async throws -> Void
  ) async rethrows -> [String] {
    try await Failures.of { try await use(makeStore()) }.messages
  }

  @Test("Rule 23: a change that is not asserted")
  func unasserted() async {
    let said = await said { await $0.send(.responded(["a"])) }
    #expect(
      said == [
        """
        .responded(["a"]) changed the state, and nothing was asserted of it:

          State(
            query: "",
        -   results: [],
        +   results: [
        +     "a"
        +   ],
            isSearching: false,
            ticks: 0,
          …

        (- before, + after)

        Say so in a closure: 'await store.send(…) { $0.… = … }'.
        """
      ])
  }

  @Test("Rule 23: another change than the expected one, sent")
  func otherChange() async {
    let said = await said { await $0.send(.queryChanged("a")) { $0.query = "b" } }
    #expect(
      said.first
        == """
        The state after .queryChanged("a") is not the expected one:

          State(
        -   query: "b",
        +   query: "a",
            results: [],
        -   isSearching: false,
        +   isSearching: true,
            ticks: 0,
            limit: 10
          …

        (- expected, + found)

        Let the closure make this state, or mend the reducer.
        """)
  }

  /// Has the search in one of its cases.
  struct Outer: Reducer {
    @CasePathable @Mirrored enum Action {
      case search(Search.Action)
    }
    func reduce(into state: inout Search.State, action: Action) -> Effect<Action> { .none }
  }

  @Test("Rules 18 and 23: a missing BindingReducer is named, with the action it is missing for")
  func unbound() async {
    let said = await Failures.of {
      let store = TestStore(initialState: Search.State()) {
        EmptyReducer<Search.State, Search.Action>()
      }
      await store.send(.binding(.set(\.$limit, 3)))
      let outer = TestStore(initialState: Search.State()) { Outer() }
      await outer.send(.search(.binding(.set(\.$limit, 3))))
    }.messages
    #expect(
      said == [
        """
        .binding(.set(limit, 3)) sets a field, and no reducer did. Add 'BindingReducer()' to the \
        body of the reducer whose action has that binding.
        """,
        """
        .search(.binding(.set(limit, 3))) sets a field, and no reducer did. Add 'BindingReducer()' \
        to the body of the reducer whose action has that binding.
        """,
      ])
  }

  @Test("Rule 23: a closure that changes nothing")
  func idleClosure() async {
    let said = await said { await $0.send(.saved) { $0.query = "" } }
    #expect(
      said == [
        """
        The closure for .saved changes nothing, and neither did the action. Leave the closure out, or \
        let it make the change that is expected.
        """
      ])
  }

  @Test("Rule 23: a closure that throws")
  func throwing() async {
    struct Failure: Error {}
    let said = await said { await $0.send(.saved) { _ in throw Failure() } }
    #expect(
      said == [
        """
        The closure that makes the expected state threw an error: Failure(). Let it throw nothing \
        where the test is to pass.
        """
      ])
  }

  @Test("Rule 23: nothing to leave out")
  func nothingToSkip() async {
    let said = await said { store in
      await store.skipReceivedActions()
      await store.skipInFlightEffects()
    }
    #expect(
      said == [
        """
        There was no received action to leave out. Leave 'skipReceivedActions' out, or say \
        'strict: false'.
        """,
        """
        There was no effect under way to leave out. Leave 'skipInFlightEffects' out, or say \
        'strict: false'.
        """,
      ])
  }

  @Test("Rule 23: a rejection that was not expected, one that did not come, and another one")
  func rejections() async {
    let said = await said { store in
      await store.send(.refused)
      await store.send(.saved, rejectedWith: Rejection("no"))
      await store.send(.refused, rejectedWith: Rejection(code: "invalid", "there is nothing"))
    }
    #expect(
      said == [
        """
        .refused was refused (invalid): there is nothing to search

        Assert that with 'rejectedWith: Rejection(…)', or mend the reducer.
        """,
        """
        .saved was to be refused, and was not. Leave 'rejectedWith:' out, or let the reducer return \
        '.reject(…)'.
        """,
        """
        .refused was refused otherwise than expected:

          Parts(
            code: "invalid",
        -   text: "there is nothing",
        +   text: "there is nothing to search",
            path: []
          )

        (- expected, + found)

        Assert this rejection, or mend the reducer.
        """,
      ])
  }

  @Test("Rules 13 and 23: a dependency that the test does not set is named")
  func unstubbed() async {
    let said = await said { store in
      store.exhaustivity = .off
      await store.send(.rolled)
    }
    #expect(said.count == 1)
    #expect(
      said.first?.hasSuffix(
        """
        @Dependency(\\.uuid) was used in a test that does not set it. Set it where the store is made: \
        withDependencies: { $0.uuid = … }.
        """) == true, "\(said)")
  }

  @Test("Rules 13 and 23: a clock that the test does not set is named when an effect waits on it")
  func unstubbedClock() async {
    let failures = await Failures.of {
      let store = TestStore(initialState: Search.State()) { Search() }
      store.exhaustivity = .off
      store.timeout = .seconds(30)
      // Waits once, for real; a timer would be named at each of its waits.
      await store.send(.queryChanged("a"))
      await store.receive(.responded([]))
    }
    let named = failures.messages.filter { $0.contains("@Dependency(\\.continuousClock) was used") }
    #expect(named.count == 1, "\(failures.messages)")
  }

  @Test("Rule 23: a state that is not as it was said, with exhaustivity off")
  func offMismatch() async {
    let said = await said { store in
      store.exhaustivity = .off
      await store.send(.queryChanged("a")) { $0.query = "b" }
      store.assert { $0.ticks = 1 }
    }
    #expect(said.count == 2)
    #expect(
      said.first == """
        The state after .queryChanged("a") is not the expected one:

          State(
        -   query: "b",
        +   query: "a",
            results: [],
            isSearching: true,
          …

        (- expected, + found)

        Let the closure make this state, or mend the reducer.
        """)
    #expect(said.last?.hasPrefix("The state is not the expected one:\n") == true)
  }

  @Test("Rule 23: what was left out is shown on demand, and is no failure")
  func shown() async {
    let failures = await Failures.of {
      let store = makeStore()
      store.exhaustivity = .off(showSkippedAssertions: true)
      await store.send(.queryChanged("a")) { $0.query = "a" }
      await store.send(.started)
      await clock.advance(by: .seconds(1))
      await store.receive(.ticked)
    }
    #expect(failures.messages == [])
    let notes = failures.notes.map { $0.split(separator: ": ", maxSplits: 1).last ?? "" }
    #expect(
      notes == [
        """
        Not asserted of the state after .queryChanged("a"):

          …
            query: "a",
            results: [],
        -   isSearching: false,
        +   isSearching: true,
            ticks: 0,
            limit: 10
          …

        (- asserted, + found)
        """,
        """
        Not asserted: 1 action from effects:

          .responded(["a"])
        """,
        """
        Not asserted of the state after .ticked:

          …
            ],
            isSearching: false,
        -   ticks: 0,
        +   ticks: 1,
            limit: 10
          )

        (- asserted, + found)
        """,
        """
        Not awaited: effects of:

          .started
        """,
      ])
  }

  @Test(
    "Rule 23: a failure stands at the line of the call, those of the end where the store is made")
  func lines() async {
    let failures = await Failures.of {
      let store = TestStore(initialState: Search.State()) { Search() }
      await store.send(.cleared)
      await store.receive(.forgotten)
    }
    let first = #line - 4
    #expect(failures.lines == [UInt(first) + 2, UInt(first)])
  }

  @Test("Rule 23: a failure that no framework takes says how one is made to")
  func nobody() {
    let failure = TestFailure(
      "It failed.", at: TestFailure.Location(fileID: "A/B.swift", filePath: "", line: 3, column: 1))
    #expect(
      FailureReporter.nobody(failure, in: "A") == """
        Error: A/B.swift:3: It failed.
        Nobody takes this failure: the module A has no type TestStoreFailures that conforms to \
        FailureReporting, or no test is running in this task.
        Try: add 'enum TestStoreFailures: FailureReporting { … }' to the test target (the \
        documentation of FailureReporting has it in full), and use the store in the task of a test.
        """)
  }

  @Test("Rule 23: a failure that no framework takes ends the process: none is lost")
  func lost() async {
    await #expect(processExitsWith: .failure) {
      // Outside of any test, as in a process that runs none.
      await Task.detached {
        FailureReporter.framework(
          TestFailure(
            "It failed.",
            at: TestFailure.Location(fileID: "A/B.swift", filePath: "", line: 3, column: 1)))
      }.value
    }
  }
}
