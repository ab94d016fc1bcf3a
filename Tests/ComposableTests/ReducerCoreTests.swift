import Composable
import Testing

@Suite("Rules 1 and 2: the core drains one external action as one commit", .timeLimit(.minutes(5)))
struct ReducerCoreTests {
  enum Action: Equatable, Sendable {
    case start
    case left
    case right
    case leaf(Int)
    case count(Int)
    case never
  }

  struct State: Equatable {
    var seen: [Action] = []
    var count = 0
  }

  struct Feature: Reducer {
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .start: return .merge(.send(.left), .send(.right))
      case .left:
        state.seen.append(action)
        return .concatenate(.send(.leaf(1)), .send(.leaf(2)))
      case .right:
        state.seen.append(action)
        return .send(.leaf(3))
      case .leaf:
        state.seen.append(action)
        return .none
      case .count(let left):
        state.count += 1
        return left > 1 ? .send(.count(left - 1)) : .none
      case .never:
        state.count += 1
        return .send(.never)
      }
    }
  }

  @Test("Rule 2: synchronous effects are handled breadth first")
  func breadthFirst() {
    var core = ReducerCore(Feature())
    var state = State()
    let cascade = core.perform(.start, on: &state)
    #expect(state.seen == [.left, .right, .leaf(1), .leaf(2), .leaf(3)])
    #expect(cascade.operations.isEmpty)
    #expect(cascade.actionCount == 6)
  }

  @Test("Rule 2: a hundred thousand chained sends neither grow the stack nor trap")
  func longChain() {
    var core = ReducerCore(Feature())
    var state = State()
    let cascade = core.perform(.count(100_000), on: &state)
    #expect(state.count == 100_000)
    #expect(cascade.actionCount == 100_000)
    #expect(cascade.reports.isEmpty)
  }

  @Test("Rule 2: a reducer that never stops sending is stopped and reported")
  func endlessChain() {
    var core = ReducerCore(Feature())
    var state = State()
    let cascade = core.perform(.never, on: &state)
    #expect(cascade.actionCount == 1_000_000)
    #expect(
      cascade.reports.map(\.message) == [
        """
        'Feature' handled 1000000 actions in one commit and had 1 more: the rest was dropped. An \
        action that always sends another never ends: send it from 'Effect.run', or stop when the \
        state is right.
        """
      ])
    #expect(core.perform(.leaf(1), on: &state).actionCount == 1, "the core is usable afterwards")
  }

  @Test("Rule 10: what takes time is left over as operations, in order")
  func operations() throws {
    let reducer = Reduce<Int, String> { state, action in
      state += 1
      guard action == "go" else { return .none }
      return .merge(
        .send("now"),
        .cancel(id: 1),
        .run { _ in }.cancellable(id: 1),
        .concatenate(.send("first"), .run { _ in }, .send("last")))
    }
    var core = ReducerCore(reducer)
    var state = 0
    let operations = core.perform("go", on: &state).operations
    #expect(state == 3, "'now' and 'first' join the drain, 'last' has to wait")
    try #require(operations.count == 3)
    let key = CancelKey(path: TreePath(), id: EffectID(1))
    guard case .cancel(key) = operations[0], case .run(_, let place) = operations[1],
      case .sequence(let steps, _) = operations[2]
    else {
      Issue.record("other operations: \(operations)")
      return
    }
    #expect(place.keys == [key])
    #expect(steps.count == 2)
  }

  @Test("Rule 1: a body's members run top to bottom, with if, switch, for and optionals")
  func builder() {
    struct Built: Reducer {
      let isLoud: Bool
      let extra: Reduce<[String], Int>?

      var body: some Reducer<[String], Int> {
        Reduce { state, action in
          state.append("first \(action)")
          return .none
        }
        if isLoud {
          Reduce { state, _ in
            state.append("loud")
            return .none
          }
        } else {
          EmptyReducer()
        }
        if let extra { extra }
        for name in ["a", "b"] {
          Reduce { state, _ in
            state.append(name)
            return .none
          }
        }
        CombineReducers {
          Reduce { state, _ in
            state.append("last")
            return .none
          }
        }
      }
    }
    var state: [String] = []
    _ = Built(isLoud: true, extra: nil).reduce(into: &state, action: 1)
    #expect(state == ["first 1", "loud", "a", "b", "last"])
    state = []
    let extra = Reduce<[String], Int> { state, _ in
      state.append("extra")
      return .none
    }
    _ = Built(isLoud: false, extra: extra).reduce(into: &state, action: 2)
    #expect(state == ["first 2", "extra", "a", "b", "last"])
  }

  @Test("Rule 1: the older names are there")
  func olderNames() {
    struct Older: ReducerProtocol {
      var body: some ReducerProtocolOf<Inner> { Inner() }
      struct Inner: ReducerProtocol {
        func reduce(into state: inout Int, action: Int) -> EffectTask<Int> {
          state += action
          return .none
        }
      }
      typealias State = Int
      typealias Action = Int
    }
    var state = 1
    _ = Older().reduce(into: &state, action: 2)
    #expect(state == 3)
  }
}
