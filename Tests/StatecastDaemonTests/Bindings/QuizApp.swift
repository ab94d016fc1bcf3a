import Composable
import FoundationEssentials
import StateModel
import StatecastDaemon

/// An app that asks, with terms: who may answer, and what is the answer when nobody does.
struct Quiz: Reducer {
  @Mirrored struct State {
    var alert: AlertState<Action>?
    @PresentationState var dialog: ConfirmationDialogState<Int>?
    var answers: [Int] = []
  }

  @Mirrored enum Action {
    case ask(client: UInt64?, admin: Bool, seconds: Double?, button: Int?)
    case askInDialog(seconds: Double)
    case answered(Int)
    case dismissed
    case dialog(PresentationAction<Int>)
  }

  var body: some ReducerOf<Self> {
    Reduce<State, Action> { state, action in
      @Dependency(\.date) var date
      switch action {
      case .ask(let client, let admin, let seconds, let button):
        var alert = AlertState<Action>(
          title: "Which?",
          buttons: [
            .default("One", action: .send(.answered(1))),
            .default("Two", action: .send(.answered(2))),
          ])
        if let client { alert = alert.answered(by: .client(client)) }
        if admin { alert = alert.answered(by: .admin) }
        if let seconds { alert = alert.answered(at: date.now + seconds, with: button) }
        state.alert = alert
      case .askInDialog(let seconds):
        state.dialog = ConfirmationDialogState(
          title: "Sure?", buttons: [.default("Three", action: .send(3))]
        )
        .answered(at: date.now + seconds, with: 0)
      case .answered(let number): state.answers.append(number)
      case .dismissed: state.alert = nil
      case .dialog(.presented(let number)): state.answers.append(number)
      case .dialog(.dismiss): state.answers.append(0)
      }
      return .none
    }
    .ifLet(
      \.$dialog,
      action: CasePath(Action.dialog) { if case .dialog(let action) = $0 { action } else { nil } })
  }

  static let places: [AlertPlace<State, Action>] = [
    AlertPlace(alert: { $0.alert }, action: { $0 }, dismiss: .dismissed),
    AlertPlace(dialog: { $0.dialog }, presentation: { .dialog($0) }),
  ]
}

/// Its daemon, which lets nobody but itself send an answer as an action.
struct QuizDaemon: DaemonApp {
  var name: String { "quiz" }
  var reducer: Quiz { Quiz() }
  var initialState: Quiz.State { Quiz.State() }
  var views: [ViewDefinition<Quiz.State>] { [ViewDefinition("quiz") { $0 }] }
  var alertPlaces: [AlertPlace<Quiz.State, Quiz.Action>] { Quiz.places }
  func authorize(_ action: Quiz.Action, origin: UInt64?) -> Bool { origin != nil }
}
