import Composable
import StateModel
import StatecastTesting
import Testing

@Suite("Rule 4: the view store", .timeLimit(.minutes(5)))
@MainActor
struct ViewStoreTests {
  @Mirrored struct ViewState {
    var text = ""
  }

  private func makeStore() -> Store<[String], String> {
    Store(initialState: [String]()) {
      Reduce { state, action in
        state.append(action)
        return .none
      }
    }
  }

  @Test(
    "Rule 4: the current value at once, then only values that differ; state is the delivered one")
  func callback() {
    let store = makeStore()
    let view = ViewStore(store, observe: { $0.count / 2 })
    let seen = Collected<Int>()
    let observation = view.observe { value in
      #expect(view.state == value)
      seen.add(value)
    }
    for _ in 1...5 { view.send("x") }
    #expect(seen.values == [0, 1, 2])
    observation.cancel()
    for _ in 1...5 { view.send("x") }
    #expect(seen.values == [0, 1, 2])
    #expect(view.state == 5)
  }

  @Test("Rule 4: members are looked up in the state")
  func dynamicMember() {
    let store = makeStore()
    let view = ViewStore(store, observe: { $0 })
    view.send("a")
    #expect(view.count == 1)
    #expect(view.first == "a")
  }

  @Test("Rule 4: mirrored values are compared by mirrored identity, not by ==")
  func mirroredIdentity() {
    let store = makeStore()
    let view = ViewStore(store, observe: { ViewState(text: $0.last ?? "") })
    let seen = Collected<Int>()
    let observation = view.observe { seen.add($0.text.unicodeScalars.count) }
    store.send("e\u{301}")
    store.send("\u{E9}")
    #expect(seen.values == [0, 2, 1], "composed and decomposed are equal for ==")
    observation.cancel()
  }

  @Test("Rule 4: the predicate can be replaced")
  func predicate() {
    let store = makeStore()
    let view = ViewStore<String, String>(
      store, observe: { $0.last ?? "" }, send: { $0 },
      removeDuplicates: { $0.count == $1.count })
    let seen = Collected<String>()
    let observation = view.observe(seen.add)
    for text in ["a", "b", "cc", "dd"] { view.send(text) }
    #expect(seen.values == ["", "a", "cc"])
    #expect(view.state == "cc")
    observation.cancel()
  }

  @Test("Rule 4: subscribers run in the order in which they subscribed; a projection runs once")
  func orderAndCost() {
    let store = makeStore()
    let computed = Collected<Int>()
    let view = ViewStore(
      store,
      observe: { state in
        computed.add(state.count)
        return state.count
      })
    let seen = Collected<String>()
    let observations = ["a", "b", "c"].map { name in view.observe { seen.add("\(name)\($0)") } }
    view.send("x")
    #expect(seen.values == ["a0", "b0", "c0", "a1", "b1", "c1"])
    #expect(computed.values == [0, 1])
    for observation in observations { observation.cancel() }
  }

  @Test("Rule 4: an asynchronous sequence of the same values, in the order of the commits")
  func sequence() async {
    let store = makeStore()
    var values = ViewStore(store, observe: { $0.count }).values.makeAsyncIterator()
    store.send("a")
    store.send("b")
    #expect(await values.next() == 0)
    #expect(await values.next() == 1)
    #expect(await values.next() == 2)
  }

  @Test("Rule 6: send while suspends until the predicate turns false")
  func sendWhile() async {
    let clock = TestClock()
    let store = Store(initialState: 0) { StoreTests.Counter(clock: clock) }
    let view = ViewStore(store, observe: { $0 })
    let waiting = Task {
      await view.send(.later(1), while: { $0 == 0 })
      return view.state
    }
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(1))
    #expect(await waiting.value == 1)
  }

  @Test("Rule 6: cancelling the one who waits cancels the effect")
  func cancelledWaiter() async {
    let clock = TestClock()
    let store = Store(initialState: 0) { StoreTests.Counter(clock: clock) }
    let view = ViewStore(store, observe: { $0 })
    let waiting = Task { await view.send(.later(1), while: { $0 == 0 }) }
    await clock.waitForSleepers(1)
    waiting.cancel()
    await waiting.value
    await clock.advance(by: .seconds(1))
    await store.send(.laterChain(2)).finish()
    #expect(store.state == 2)
  }
}
