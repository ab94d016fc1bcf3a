import Composable
import FoundationEssentials
import StatecastTesting
import Testing

/// What a test store lets pass; what it does not is in `TestStoreFailureTests`.
@Suite("Rule 23: a test store", .timeLimit(.minutes(5)))
@MainActor
struct TestStoreTests {
  private let clock = TestClock()

  private func makeStore() -> TestStoreOf<Search> {
    TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = clock
      $0.searchClient = SearchClient { query in [query, query.uppercased()] }
    }
  }

  @Test("Rule 23: what every action does is asserted, also what effects send at once")
  func cascade() async {
    let store = makeStore()
    await store.send(.responded(["a"])) { $0.results = ["a"] }
    await store.send(.cleared)
    // The state as of each action: the second has not happened yet for the first.
    await store.receive(.emptied) { $0.results = [] }
    await store.receive(.forgotten)
    #expect(store.state == Search.State())
  }

  @Test(
    "Rule 23: the state asserted is the one as of the action, however far the feature is by then")
  func asOfAction() async {
    let store = makeStore()
    await store.send(.started)
    await clock.advance(by: .seconds(3))
    for tick in 1...3 {
      await store.receive(.ticked) { $0.ticks = tick }
      #expect(store.state.ticks == tick)
    }
    await store.send(.stopped)
  }

  @Test("Rules 12 and 23: of a debounced search only the last is done")
  func debounce() async {
    let store = makeStore()
    await store.send(.queryChanged("a")) {
      $0.query = "a"
      $0.isSearching = true
    }
    await clock.advance(by: .milliseconds(299))
    await store.send(.queryChanged("ab")) { $0.query = "ab" }
    await clock.advance(by: .milliseconds(299))
    await store.send(.queryChanged("abc")) { $0.query = "abc" }
    await clock.advance(by: .milliseconds(300))
    await store.receive(.responded(["abc", "ABC"])) {
      $0.results = ["abc", "ABC"]
      $0.isSearching = false
    }
  }

  @Test("Rule 23: an action is received by its case, or by what fits")
  func receiving() async {
    let store = makeStore()
    for _ in 1...2 {
      await store.send(.queryChanged("a")) {
        $0.query = "a"
        $0.isSearching = true
      }
      await clock.run()
      if store.state.results.isEmpty {
        await store.receive(\.responded) {
          $0.results = ["a", "A"]
          $0.isSearching = false
        }
      } else {
        await store.receive(
          where: { $0 != .stopped }, assert: { $0.isSearching = false })
      }
    }
  }

  @Test("Rule 23: a task of a sent action is waited for, or cancelled")
  func tasks() async {
    let store = makeStore()
    let timer = await store.send(.started)
    await timer.cancel()
    #expect(timer.isCancelled)
    let search = await store.send(.queryChanged("a")) {
      $0.query = "a"
      $0.isSearching = true
    }
    await clock.advance(by: .seconds(1))
    await search.finish()
    await store.receive(\.responded) {
      $0.results = ["a", "A"]
      $0.isSearching = false
    }
    await store.finish()
  }

  @Test("Rule 23: a rejection is asserted, sent or received; the state stays")
  func rejections() async {
    let store = makeStore()
    let rejection = Rejection(code: "invalid", "there is nothing to search")
    await store.send(.refused, rejectedWith: rejection)
    await store.send(.refusedLater)
    await store.receive(.refused, rejectedWith: rejection)
  }

  @Test("Rule 23: bindings are sent as actions")
  func bindings() async {
    let store = makeStore()
    await store.send(.binding(.set(\.$limit, 3))) { $0.limit = 3 }
    await store.send(.set(\.$limit, 4)) { $0.limit = 4 }
  }

  @Test("Rule 23: a dependency may be changed between two actions")
  func dependencies() async {
    let store = makeStore()
    store.dependencies.uuid = .incrementing
    await store.send(.rolled) { $0.query = "00000000-0000-0000-0000-000000000000" }
    store.dependencies.uuid = .constant(
      UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    await store.send(.rolled) { $0.query = "01000000-0000-0000-0000-000000000000" }
  }

  @Test(
    "Rule 23: with exhaustivity off only what is said counts, and received actions are left out")
  func nonExhaustive() async {
    let store = makeStore()
    store.exhaustivity = .off
    await store.send(.queryChanged("a")) { $0.query = "a" }
    await store.send(.started)
    await clock.advance(by: .seconds(2))
    await store.receive(.ticked) { $0.ticks = 1 }
    #expect(store.state.results == ["a", "A"], "the response was left out on the way")
    await store.send(.saved)
    #expect(store.state.ticks == 2, "and so was a tick")
    store.assert { $0.isSearching = false }
  }

  @Test("Rule 23: received actions and effects are left out on demand")
  func skipping() async {
    let store = makeStore()
    await store.send(.started)
    await clock.advance(by: .seconds(2))
    await store.skipReceivedActions()
    #expect(store.state.ticks == 2)
    await store.skipInFlightEffects()
    await store.withExhaustivity(.off) { _ = await store.send(.cleared) }
    await store.skipReceivedActions()
    await store.skipReceivedActions(strict: false)
    await store.skipInFlightEffects(strict: false)
  }

  @Test("Rule 23: an effect that is not on the test's clock is waited for by its action")
  func realEffect() async {
    let (answers, answer) = AsyncStream<String>.makeStream()
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = clock
      $0.searchClient = SearchClient { _ in
        // Continued by somebody whom the store knows nothing of.
        var iterator = answers.makeAsyncIterator()
        return [await iterator.next() ?? "none"]
      }
    }
    await store.send(.queryChanged("a")) {
      $0.query = "a"
      $0.isSearching = true
    }
    await clock.run()
    Task.detached { answer.yield("late") }
    await store.receive(.responded(["late"])) {
      $0.results = ["late"]
      $0.isSearching = false
    }
  }

  @Test("Rule 23: a failure is one of the test that is running, at the line of the test")
  func issue() async {
    await withKnownIssue {
      let store = makeStore()
      await store.send(.responded(["a"]))
    } matching: { issue in
      issue.comments.first?.rawValue.hasPrefix(".responded([\"a\"]) changed the state") == true
        && issue.sourceLocation?.fileName == "TestStoreTests.swift"
    }
  }
}
