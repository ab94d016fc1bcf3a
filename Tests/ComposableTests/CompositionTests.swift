import Composable
import StatecastTesting
import Testing

@Suite("Rules 7 and 10: children in their parents", .timeLimit(.minutes(5)))
@MainActor
struct CompositionTests {
  private let log = Log<String>()
  private let clock = TestClock()
  private let reports = Log<String>()

  private func makeStore(_ state: Parent.State = Parent.State()) -> StoreOf<Parent> {
    Store(initialState: state) {
      Parent(log: log, clock: clock)
    } withDependencies: { [reports] in
      $0.issueReporter = IssueReporter { reports.add($0.message) }
    }
  }

  @Test("Rule 7: an action goes to its own child only")
  func scope() {
    let store = makeStore()
    store.send(.child(.increment))
    store.send(.child(.increment))
    store.send(.sibling(.increment))
    #expect(store.state.child.count == 2)
    #expect(store.state.sibling.count == 1)
  }

  @Test("Rule 7: the child runs before its parent")
  func childFirst() {
    let store = makeStore(Parent.State(optional: Child.State(count: 4)))
    store.send(.optional(.increment))
    #expect(store.state.log == ["parent saw 5"])
  }

  @Test(
    "Rule 7: an action for a child that is absent is reported, and only the parent runs",
    arguments: [
      (Parent.Action.optional(.increment), "ifLet"), (.on(.increment), "ifCaseLet"),
      (.rows(.element(id: 9, action: .increment)), "forEach"),
    ])
  func absent(action: Parent.Action, operation: String) {
    let store = makeStore(Parent.State(mode: .blinking(Child.State())))
    store.send(action)
    #expect(
      reports.all == [
        """
        \(operation) received an action (Action) for a child that is not in the state; only the \
        parent ran. Let the parent put the child there before, or send the action only while it \
        is there.
        """
      ])
    #expect(store.state.log == (operation == "ifLet" ? ["parent saw -1"] : []))
  }

  @Test("Rule 7: elements and cases are changed in place")
  func elements() {
    let rows = Rows(elements: [Child.State(id: 1), Child.State(id: 2)])
    let store = makeStore(Parent.State(mode: .on(Child.State()), rows: rows))
    store.send(.rows(.element(id: 2, action: .increment)))
    store.send(.on(.increment))
    #expect(store.state.rows.elements.map(\.count) == [0, 1])
    #expect(store.state.mode == .on(Child.State(count: 1)))
  }

  @Test("Rule 7: a child that goes away has its effects cancelled")
  func goesAway() async {
    let store = makeStore(Parent.State(optional: Child.State(id: 1)))
    let task = store.send(.optional(.wait))
    await clock.waitForSleepers(1)
    store.send(.setOptional(nil))
    await task.finish()
    #expect(log.all == ["1 cancelled"])
  }

  @Test("Rule 7: a child that another one replaces has its effects cancelled")
  func isReplaced() async {
    let store = makeStore(Parent.State(optional: Child.State(id: 1)))
    let task = store.send(.optional(.wait))
    await clock.waitForSleepers(1)
    store.send(.setOptional(Child.State(id: 1, count: 3)))
    #expect(log.all == [], "the same child with another count")
    store.send(.setOptional(Child.State(id: 2)))
    await task.finish()
    #expect(log.all == ["1 cancelled"])
    #expect(store.state.optional?.count == 0)
  }

  @Test("Rule 7: a case that is left has its effects cancelled")
  func changesCase() async {
    let store = makeStore(Parent.State(mode: .on(Child.State(id: 3))))
    let task = store.send(.on(.wait))
    await clock.waitForSleepers(1)
    store.send(.setMode(.blinking(Child.State(id: 3))))
    await task.finish()
    #expect(log.all == ["3 cancelled"])
  }

  @Test("Rule 7: an element that is removed has its effects cancelled, the others go on")
  func removed() async {
    let rows = Rows(elements: [Child.State(id: 1), Child.State(id: 2)])
    let store = makeStore(Parent.State(rows: rows))
    let first = store.send(.rows(.element(id: 1, action: .wait)))
    let second = store.send(.rows(.element(id: 2, action: .wait)))
    await clock.waitForSleepers(2)
    store.send(.remove(1))
    await first.finish()
    #expect(log.all == ["1 cancelled"])
    await clock.advance(by: .seconds(1))
    await second.finish()
    #expect(store.state.rows.elements == [Child.State(id: 2, count: 100)])
  }

  @Test("Rule 10: a child cancels its own effects, never a sibling's or its parent's")
  func childCancels() async {
    let store = makeStore()
    let first = store.send(.child(.wait))
    let second = store.send(.sibling(.wait))
    await clock.waitForSleepers(2)
    store.send(.child(.cancel))
    await first.finish()
    #expect(log.all == ["0 cancelled"])
    await clock.advance(by: .seconds(1))
    await second.finish()
    #expect(store.state.sibling.count == 100)
    #expect(store.state.child.count == 0)
  }

  @Test("Rule 10: a parent cancels its children's effects")
  func parentCancels() async {
    let store = makeStore(Parent.State(rows: Rows(elements: [Child.State(id: 5)])))
    let tasks = [
      store.send(.child(.wait)), store.send(.sibling(.wait)),
      store.send(.rows(.element(id: 5, action: .wait))),
    ]
    await clock.waitForSleepers(3)
    store.send(.cancelAll)
    for task in tasks { await task.finish() }
    #expect(log.all.sorted() == ["0 cancelled", "0 cancelled", "5 cancelled"])
  }

  @Test("Rule 8: onChange runs after an action that changed the value, with old and new")
  func onChange() {
    let store = Store(initialState: [0]) {
      Reduce<[Int], Int> { state, action in
        state[0] = action
        return .none
      }
      .onChange(of: { $0[0] }) { old, new in
        Reduce { state, _ in
          state += [old, new]
          return .none
        }
      }
    }
    store.send(5)
    store.send(5)
    #expect(store.state == [5, 0, 5])
  }

  @Test("Rule 7: a case path by reflection takes out what its own case carries, and nothing else")
  func casePaths() {
    enum Sample: Equatable, Sendable {
      case one(Int)
      case other(Int)
      case labelled(value: Int)
      case pair(Int, String)
      case empty
    }
    let one = CasePath(Sample.one)
    #expect(one.extract(.one(1)) == 1)
    #expect(one.extract(.other(1)) == nil)
    #expect(one.extract(.empty) == nil)
    #expect(one.embed(4) == .one(4))
    let labelled = CasePath(Sample.labelled(value:))
    #expect(labelled.extract(.labelled(value: 3)) == 3)
    #expect(labelled.extract(.one(3)) == nil)
    let pair = CasePath(Sample.pair)
    #expect(pair.extract(.pair(1, "a")).map { $0 == (1, "a") } == true)
    #expect((/Sample.other).extract(.other(2)) == 2)
  }
}
