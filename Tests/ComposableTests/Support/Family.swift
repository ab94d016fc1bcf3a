import Composable
import StatecastTesting

/// A child that counts and waits, and parents that hold it in every way.
struct Child: Reducer {
  struct State: Equatable, Identifiable, Sendable {
    var id = 0
    var count = 0
  }

  enum Action: Equatable, Sendable {
    case increment
    case wait
    case cancel
    case waited
  }

  /// Says that a waiting effect has begun or was cancelled.
  var log: Log<String>?
  var clock: TestClock?

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .wait:
      return .run { [log, clock, id = state.id] send in
        do {
          try await clock?.sleep(for: .seconds(1))
        } catch {
          log?.add("\(id) cancelled")
          throw error
        }
        await send(.waited)
      }
      .cancellable(id: "wait")
    case .cancel: return .cancel(id: "wait")
    case .waited:
      state.count += 100
      return .none
    }
  }
}

struct Parent: Reducer {
  struct State: Equatable, Sendable {
    var child = Child.State()
    var sibling = Child.State()
    var optional: Child.State?
    var mode = Mode.off
    var rows = Rows<Child.State>()
    var log: [String] = []
  }

  enum Mode: Equatable, Sendable {
    case off
    case on(Child.State)
    case blinking(Child.State)
  }

  @CasePathable enum Action: Equatable, Sendable {
    case child(Child.Action)
    case sibling(Child.Action)
    case optional(Child.Action)
    case on(Child.Action)
    case rows(IdentifiedAction<Int, Child.Action>)
    case setOptional(Child.State?)
    case setMode(Mode)
    case remove(Int)
    case cancelAll
  }

  var log: Log<String>?
  var clock: TestClock?

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Child(log: log, clock: clock) }
    Scope(state: \.sibling, action: CasePath(Action.sibling)) { Child(log: log, clock: clock) }
    Reduce { state, action in
      switch action {
      case .setOptional(let child): state.optional = child
      case .setMode(let mode): state.mode = mode
      case .remove(let id): state.rows[id: id] = nil
      case .cancelAll: return .cancel(id: "wait")
      case .optional: state.log.append("parent saw \(state.optional?.count ?? -1)")
      default: break
      }
      return .none
    }
    .ifLet(\.optional, action: /Action.optional) { Child(log: log, clock: clock) }
    .forEach(\.rows, action: \.rows) { Child(log: log, clock: clock) }
    Scope(state: \.mode, action: CasePath(Action.self)) {
      EmptyReducer()
        .ifCaseLet(CasePath(Mode.on), action: CasePath(Action.on)) {
          Child(log: log, clock: clock)
        }
    }
  }
}

extension CasePath where Root == Value {
  /// The whole value.
  init(_: Root.Type) { self.init({ $0 }, extract: { $0 }) }
}
