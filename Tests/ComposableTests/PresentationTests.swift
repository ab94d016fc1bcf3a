import Composable
import StateModel
import Testing

@Suite("Rule 20: alerts and children in a presentation", .timeLimit(.minutes(5)))
@MainActor
struct PresentationTests {
  struct Presenting: Reducer {
    @Mirrored struct State {
      @PresentationState var alert: AlertState<Action.Alert>?
      @PresentationState var child: ChildState?
      var log: [String] = []

      static let place = AlertPlace<State, Action>(
        alert: { $0.alert }, presentation: { .alert($0) })
    }

    @Mirrored struct ChildState: Identifiable {
      var id = 0
      var count = 0
    }

    @Mirrored enum Action {
      case alert(PresentationAction<Alert>)
      case child(PresentationAction<Int>)
      case show(Int)

      @Mirrored enum Alert {
        case confirm
        case again
      }
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .show(let id):
          state.alert = Self.question
          state.child = ChildState(id: id)
        case .alert(.presented(.confirm)): state.log.append("confirmed, \(state.alert != nil)")
        case .alert(.presented(.again)): state.alert = Self.question
        case .alert(.dismiss): state.log.append("dismissed, \(state.alert != nil)")
        case .child(let action): state.log.append("\(action) \(state.child?.count ?? -1)")
        }
        return .none
      }
      .ifLet(\.$alert, action: CasePath(Action.alert))
      .ifLet(\.$child, action: CasePath(Action.child)) {
        Reduce { state, action in
          state.count += action
          return .none
        }
      }
    }

    static var question: AlertState<Action.Alert> {
      AlertState(title: "Sure?", buttons: [.default("Yes", action: .send(.confirm))])
    }
  }

  private func makePresenting() -> StoreOf<Presenting> {
    let store = Store(initialState: Presenting.State()) { Presenting() }
    store.send(.show(1))
    return store
  }

  @Test("Rule 20: a presented alert goes after its action, and after a dismissal")
  func presented() {
    let store = makePresenting()
    store.send(.alert(.presented(.confirm)))
    #expect(store.state.alert == nil)
    store.send(.show(1))
    store.send(.alert(.dismiss))
    #expect(store.state.alert == nil)
    #expect(store.state.log == ["confirmed, true", "dismissed, true"])
  }

  @Test("Rule 20: a presented alert that its action replaced stays")
  func presentedAgain() {
    let store = makePresenting()
    let old = store.state.alert?.id
    store.send(.alert(.presented(.again)))
    #expect(store.state.alert == Presenting.question)
    #expect(store.state.alert?.id != old)
  }

  @Test("Rule 20: a presented child runs before its parent, and goes when it is dismissed")
  func presentedChild() {
    let store = makePresenting()
    store.send(.child(.presented(5)))
    store.send(.child(.dismiss))
    #expect(store.state.log == ["presented(5) 5", "dismiss 5"])
    #expect(store.state.child == nil)
  }

  @Test("Rule 7: an action for a child that is not presented is reported")
  func absentPresented() {
    let reports = Log<IssueReport>()
    let store = Store(initialState: Presenting.State()) {
      Presenting()
    } withDependencies: {
      $0.issueReporter = IssueReporter { reports.add($0) }
    }
    store.send(.alert(.presented(.confirm)))
    #expect(reports.all.count == 1)
    #expect(reports.all.first?.message.hasPrefix("ifLet received an action (Alert)") == true)
  }

  @Test("Rule 20: an answer to a presented alert needs no dismissal of its own")
  func presentedAnswer() throws {
    var core = ReducerCore(Presenting())
    var state = Presenting.State()
    _ = core.perform(.show(1), on: &state)
    let id = try #require(state.alert?.id)
    let answer = try AlertAnswer(to: id, button: 0, in: state, of: [Presenting.State.place])
    #expect(core.perform(answer, on: &state).actionCount == 1)
    #expect(state.alert == nil)
    #expect(state.log == ["confirmed, true"])
  }

  @Test("Rule 20: a presentation is mirrored as the optional that it wraps")
  func presentationWire() throws {
    var state = Presenting.State()
    #expect(try Value(encoded: state.encoded())["child"] == .null)
    state.child = Presenting.ChildState(id: 3, count: 4)
    let value = try Value(encoded: state.encoded())
    #expect(value["child"]?["count"] == 4)
    #expect(try Presenting.State(encoded: state.encoded()) == state)
    #expect(value.digest == state.digest)
  }

  /// The child's case by its name, as most write it.
  struct ByName: Reducer {
    @Mirrored struct State {
      @PresentationState var child: Presenting.ChildState?
    }

    @CasePathable @Mirrored enum Action {
      case child(PresentationAction<Int>)
    }

    var body: some ReducerOf<Self> {
      EmptyReducer<State, Action>().ifLet(\.$child, action: \.child) {
        Reduce { state, action in
          state.count += action
          return .none
        }
      }
    }
  }

  @Test("Rule 20: a presented child is reached by its case's name, and goes when it is dismissed")
  func byName() {
    let store = Store(initialState: ByName.State(child: Presenting.ChildState())) { ByName() }
    store.send(.child(.presented(2)))
    #expect(store.state.child?.count == 2)
    store.send(.child(.dismiss))
    #expect(store.state.child == nil)
  }
}
