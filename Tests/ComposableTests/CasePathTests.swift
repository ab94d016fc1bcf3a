import Composable
import StateModel
import Testing

@Suite("Case paths that the macro writes")
struct CasePathTests {
  @CasePathable enum Event: Equatable {
    case plain
    case single(Int)
    case labelled(id: String)
    case several(Int, by: String)
    case nested(Inner)
    case `default`(Bool)
    @CasePathable enum Inner: Equatable {
      case deep([Int])
    }
  }

  @CasePathable enum Box<Content: Equatable & Sendable>: Equatable {
    case full(Content)
    case empty
  }

  private func check<Value: Equatable>(
    _ path: CaseKeyPath<Event, Value>, _ event: Event, _ value: Value
  ) {
    let found = Event.allCasePaths[keyPath: path]
    #expect(found.embed(value) == event)
    #expect(found.extract(event) == value)
    let others: [Event] = [
      .plain, .single(0), .labelled(id: ""), .several(0, by: ""), .nested(.deep([])),
      .default(false),
    ]
    #expect(others.count { found.extract($0) != nil } == 1)
  }

  @Test("Each case is put in and taken out, whatever it carries")
  func cases() {
    check(\.single, .single(3), 3)
    check(\.labelled, .labelled(id: "a"), "a")
    check(\.nested, .nested(.deep([1])), .deep([1]))
    check(\.default, .default(true), true)
    let several = Event.allCasePaths.several
    #expect(several.embed((1, by: "b")) == .several(1, by: "b"))
    #expect(several.extract(.several(2, by: "c"))?.by == "c")
    #expect(several.extract(.plain) == nil)
    let plain = Event.allCasePaths.plain
    #expect(plain.embed(()) == .plain)
    #expect(plain.extract(.plain) != nil && plain.extract(.single(1)) == nil)
  }

  @Test("A generic enum has them, too, and paths are appended")
  func generic() {
    let full = Box<String>.allCasePaths.full
    #expect(full.extract(full.embed("x")) == "x")
    #expect(full.extract(.empty) == nil)
    let deep = Event.allCasePaths.nested.appending(Event.Inner.allCasePaths.deep)
    #expect(deep.embed([1, 2]) == .nested(.deep([1, 2])))
  }

  struct Asking: Reducer {
    @Mirrored struct State {
      @PresentationState var alert: AlertState<Action.Alert>?
      var isDone = false
    }
    @CasePathable @Mirrored enum Action {
      case ask
      case alert(PresentationAction<Alert>)
      @Mirrored enum Alert { case go }
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .ask: state.alert = AlertState { TextState("Go?") }
        case .alert(.presented(.go)): state.isDone = true
        case .alert: break
        }
        return .none
      }
      .ifLet(\.$alert, action: \.alert)
    }
  }

  @Test("An alert is presented by the case's name") @MainActor
  func presented() {
    let store = Store(initialState: Asking.State()) { Asking() }
    store.send(.ask)
    #expect(store.alert != nil)
    store.send(.alert(.presented(.go)))
    #expect(store.alert == nil && store.isDone)
  }
}
