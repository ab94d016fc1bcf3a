import Composable
import Seeds
import StatecastTesting
import Testing

@Suite("Fifth seed: a parent that has a child refresh", .timeLimit(.minutes(5)))
@MainActor
struct RefreshingSeedTests {
  @Test("Rule 22: a trigger in the state refreshes the children that are there, each time")
  func trigger() {
    let store = Store(initialState: Trigger.State()) { Trigger() }
    store.send(.refreshTapped)
    let children = [1, 2].map { _ in TriggeredChild(store: store) }
    #expect(children.map(\.refreshes) == [0, 0], "appearing is no refresh")
    store.send(.refreshTapped)
    store.send(.refreshTapped)
    store.send(.loaded([]))
    #expect(children.map(\.refreshes) == [2, 2])
  }

  @Test("Rule 22: the parent does the work itself, as an effect")
  func effect() async {
    let store = TestStore(initialState: Trigger.State()) {
      Trigger()
    } withDependencies: {
      $0.loader = Loader { ["a", "b"] }
    }
    await store.send(.loadTapped)
    await store.receive(.loaded(["a", "b"])) { $0.loaded = ["a", "b"] }
  }

  @Test("Rule 22: a child hands its parent a handle, which is equatable, weak, and gone with it")
  func handle() {
    let parent = CallingParent()
    #expect(!parent.refreshTapped(), "nobody has appeared")
    var child: CalledChild? = CalledChild()
    if let child {
      parent.childAppeared(child.handle)
      #expect(parent.refresh == child.handle, "of one child, one handle")
      #expect(parent.refresh != CalledChild().handle)
      #expect(parent.refreshTapped())
      #expect(child.refreshes == 1)
    }
    child = nil
    #expect(parent.refresh?.isGone == true, "the handle keeps no child alive")
    #expect(!parent.refreshTapped())
  }
}
