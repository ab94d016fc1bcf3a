import Composable
import StatecastTesting
import Testing

@Suite("Rules 2, 3, 5 and 6: the store", .timeLimit(.minutes(5)))
@MainActor
struct StoreTests {
  enum Action: Equatable, Sendable {
    case add(Int)
    case addTwice(Int)
    case chain(Int)
    case later(Int)
    case laterChain(Int)
  }

  struct Counter: Reducer {
    var clock: TestClock?

    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      switch action {
      case .add(let number):
        state += number
        return .none
      case .addTwice(let number):
        state += number
        return .send(.add(number))
      case .chain(let left):
        state += 1
        return left > 1 ? .send(.chain(left - 1)) : .none
      case .later(let number):
        return .run { [clock] send in
          try await clock?.sleep(for: .seconds(1))
          await send(.add(number))
        }
      case .laterChain(let left):
        state += 1
        return left > 1
          ? .run { send in await send(.laterChain(left - 1)) } : .none
      }
    }
  }

  @Test("Rule 2: one external action is one commit, and intermediate states are never seen")
  func oneCommit() {
    let store = Store(initialState: 0) { Counter() }
    let seen = Collected<Int>()
    let observation = store.observe(seen.add)
    store.send(.addTwice(5))
    store.send(.add(1))
    #expect(seen.values == [10, 11])
    observation.cancel()
    store.send(.add(1))
    #expect(seen.values == [10, 11])
    #expect(store.state == 12)
  }

  @Test("Rule 2: a hundred thousand chained sends are one commit")
  func longChain() {
    let store = Store(initialState: 0) { Counter() }
    let seen = Collected<Int>()
    let observation = store.observe(seen.add)
    store.send(.chain(100_000))
    #expect(seen.values == [100_000])
    observation.cancel()
  }

  @Test("Rule 3: a send from an observer is handled after the commit; all see every value in order")
  func sendFromObserver() {
    let store = Store(initialState: 0) { Counter() }
    let first = Collected<Int>()
    let second = Collected<Int>()
    let observations = [
      store.observe { value in
        first.add(value)
        if value < 3 {
          store.send(.add(1))
          #expect(store.state == value, "it is not handled yet")
        }
      },
      store.observe(second.add),
    ]
    store.send(.add(1))
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [1, 2, 3])
    for observation in observations { observation.cancel() }
  }

  @Test("Rule 2: a hundred thousand sends from an observer neither grow the stack nor trap")
  func longObserverChain() {
    let store = Store(initialState: 0) { Counter() }
    let observation = store.observe { [weak store] value in
      if value < 100_000 { store?.send(.add(1)) }
    }
    store.send(.add(1))
    #expect(store.state == 100_000)
    observation.cancel()
  }

  @Test("Rule 3: observers are called in subscription order; one that another removes is left out")
  func order() {
    let store = Store(initialState: 0) { Counter() }
    let seen = Collected<String>()
    var third: Observation?
    let first = store.observe { _ in
      seen.add("first")
      third?.cancel()
    }
    let second = store.observe { _ in seen.add("second") }
    third = store.observe { _ in seen.add("third") }
    store.send(.add(1))
    #expect(seen.values == ["first", "second"])
    first.cancel()
    second.cancel()
  }

  @Test("Rule 6: finish waits for the effect and for everything that its actions started")
  func finish() async {
    let store = Store(initialState: 0) { Counter() }
    await store.send(.laterChain(10)).finish()
    #expect(store.state == 10)
    #expect(store.send(.add(1)).isCancelled, "nothing was started")
  }

  @Test("Rule 6: finish also waits for an action that was sent during a drain")
  func finishFromObserver() async {
    let store = Store(initialState: 0) { Counter() }
    let tasks = Collected<StoreTask>()
    let observation = store.observe { [weak store] value in
      if value == 1, let store { tasks.add(store.send(.laterChain(5))) }
    }
    store.send(.add(1))
    for task in tasks.values { await task.finish() }
    #expect(store.state == 6)
    observation.cancel()
  }

  @Test("Rule 6: cancel ends what the action started, and waits")
  func cancel() async {
    let clock = TestClock()
    let store = Store(initialState: 0) { Counter(clock: clock) }
    let task = store.send(.later(5))
    await clock.waitForSleepers(1)
    await task.cancel()
    #expect(task.isCancelled)
    await clock.advance(by: .seconds(1))
    await store.send(.laterChain(2)).finish()
    #expect(store.state == 2)
  }

  @Test("Rule 6: a store that is released ends its effects")
  func release() async {
    let clock = TestClock()
    var store: Store<Int, Action>? = Store(initialState: 0) { Counter(clock: clock) }
    let task = store?.send(.later(5))
    await clock.waitForSleepers(1)
    store = nil
    await task?.finish()
  }

  @Test("Rule 3: a store belongs to the actor that makes it")
  func anyActor() async {
    actor Owner {
      func run() async -> Int {
        let store = Store(initialState: 0) { Counter() }
        await store.send(.laterChain(3)).finish()
        return store.state
      }
    }
    #expect(await Owner().run() == 3)
  }

  @Test("Rule 5: a scoped store reads through, and sends straight to the root")
  func scope() {
    let root = Store(initialState: Parent.State()) { Parent() }
    let seen = Collected<Int>()
    let child = root.scope(state: \.child, action: \.child)
    let observations = [child.observe { seen.add($0.count) }]
    child.send(.increment)
    root.send(.child(.increment))
    #expect(seen.values == [1, 2])
    #expect(child.state.count == 2)
    let doubled = child.scope(state: { $0.count * 2 })
    #expect(doubled.state == 4)
    doubled.send(.increment)
    #expect(root.state.child.count == 3)
    for observation in observations { observation.cancel() }
  }

  @Test("Rule 5: a projection is computed once a commit for all observers of a scoped store")
  func projectsOnce() {
    let root = Store(initialState: Parent.State()) { Parent() }
    let computed = Collected<Int>()
    let child = root.scope(
      state: { state in
        computed.add(state.child.count)
        return state.child
      }, action: Parent.Action.child)
    let observations = [child.observe { _ in }, child.observe { _ in }, child.observe { _ in }]
    child.send(.increment)
    #expect(computed.values == [1])
    for observation in observations { observation.cancel() }
  }

  @Test("Rule 5: a store of an optional keeps the last known value, and ignores later sends")
  func optional() throws {
    let root = Store(initialState: Parent.State()) { Parent() }
    #expect(root.scope(ifLet: \.optional, action: Parent.Action.optional) == nil)
    root.send(.setOptional(Child.State(id: 1, count: 7)))
    let child = try #require(root.scope(ifLet: \.optional, action: Parent.Action.optional))
    let seen = Collected<Int>()
    let observation = child.observe { seen.add($0.count) }
    child.send(.increment)
    #expect(child.state.count == 8)
    root.send(.setOptional(nil))
    #expect(child.state.count == 8)
    child.send(.increment)
    #expect(root.state.optional == nil)
    #expect(root.state.log == ["parent saw 8"], "the late send did not reach the parent")
    #expect(seen.values == [8])
    observation.cancel()
  }

  @Test("Rule 5: a store of an element follows it by its id")
  func element() throws {
    let rows = Rows(elements: [Child.State(id: 1), Child.State(id: 2)])
    let root = Store(initialState: Parent.State(rows: rows)) { Parent() }
    let second = try #require(root.scope(id: 2, state: \.rows, action: \.rows))
    root.send(.remove(1))
    second.send(.increment)
    #expect(second.state == Child.State(id: 2, count: 1))
    root.send(.remove(2))
    second.send(.increment)
    #expect(second.state == Child.State(id: 2, count: 1))
    #expect(root.scope(id: 2, state: \.rows, action: \.rows) == nil)
  }
}
