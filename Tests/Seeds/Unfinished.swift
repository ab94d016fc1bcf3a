// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Composable
public import StateModel

/// An app whose author forgot something: `BindingReducer()`, the `ifLet` that takes an answered alert
/// away, and where another alert is. Each is told to whoever runs into it.
public struct Unfinished: Reducer {
  @Mirrored public struct State {
    @BindingState public var title = ""
    @PresentationState public var stuck: AlertState<Action.Alert>?
    public var ignored: AlertState<Action.Alert>?
    public var confirmations = 0

    public init() {}
  }

  @CasePathable @Mirrored public enum Action: BindableAction {
    case binding(BindingAction<State>)
    case stuck(PresentationAction<Alert>)
    case ignored(Alert)
    case ignoredDismissed
    case stuckAsked
    case ignoredAsked

    @Mirrored public enum Alert {
      case confirmed
    }
  }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .stuckAsked: state.stuck = Self.question
    case .ignoredAsked: state.ignored = Self.question
    case .stuck(.presented(.confirmed)), .ignored(.confirmed): state.confirmations += 1
    case .binding, .stuck(.dismiss), .ignoredDismissed: break
    }
    return .none
  }

  static var question: AlertState<Action.Alert> {
    AlertState(title: "Sure?", buttons: [.default("Yes", action: .send(.confirmed))])
  }

  public static var places: [AlertPlace<State, Action>] {
    [
      AlertPlace(alert: { $0.stuck }, presentation: { .stuck($0) }),
      AlertPlace(alert: { $0.ignored }, action: { .ignored($0) }, dismiss: .ignoredDismissed),
    ]
  }
}
