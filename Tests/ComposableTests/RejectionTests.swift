import Composable
import StateModel
import Testing

@Suite("A reducer refuses an action with Effect.reject")
struct RejectionTests {
  enum Action: Equatable, Sendable {
    case chain
    case refuse
    case late
    case count
  }

  struct Feature: Reducer {
    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      switch action {
      case .chain:
        state += 1
        return .merge(
          .run { _ in }, .send(.count), .concatenate(.send(.refuse), .send(.count)))
      case .refuse:
        return .reject(code: "conflict", "the count is \(state)", path: [.text("count")])
      case .late: return .concatenate(.run { _ in }, .reject("too late"))
      case .count:
        state += 1
        return .none
      }
    }
  }

  @Test("the whole cascade is void: nothing is started, and what was to follow is dropped")
  func cascade() {
    var core = ReducerCore(Feature())
    var state = 0
    let cascade = core.perform(.chain, on: &state)
    #expect(
      cascade.rejection == Rejection(code: "conflict", "the count is 2", path: [.text("count")]))
    #expect(cascade.operations.isEmpty)
    #expect(cascade.actionCount == 3)

    state = 0
    let next = core.perform(.count, on: &state)
    #expect(next.rejection == nil)
    #expect(next.actionCount == 1)
    #expect(state == 1)
  }

  @Test("a child's rejection is the parent's, and the first of several counts")
  func mapping() {
    let effect = Effect<Int>.merge(.reject("first"), .reject("second")).map { "\($0)" }
    var core = ReducerCore(Reduce<Int, String> { _, _ in effect })
    var state = 0
    #expect(core.perform("", on: &state).rejection == Rejection("first"))
  }

  @Test("behind an effect that takes time a rejection is a mistake, and reported")
  func late() {
    var core = ReducerCore(Feature())
    var state = 0
    let cascade = core.perform(.late, on: &state)
    #expect(cascade.rejection == nil)
    #expect(
      cascade.reports.map(\.message) == [
        """
        'Effect.reject' (rejected) stands behind an effect that takes time: the commit cannot be \
        undone any more, and nothing was refused. Return it from the reducer itself, before any \
        other effect.
        """
      ])
  }

  @Test("a store keeps its state, starts nothing and tells no observer")
  @MainActor
  func store() async {
    let store = Store(initialState: 0) { Feature() }
    var seen: [Int] = []
    let observation = store.observe { seen.append($0) }
    await store.send(.chain).finish()
    #expect(store.state == 0)
    await store.send(.count).finish()
    #expect(store.state == 1)
    #expect(seen == [1])
    observation.cancel()
  }
}
