// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Composable
public import StateModel

/// The third seed: an alert and a confirmation dialog that count.
public struct Question: Reducer {
  @Mirrored public struct State {
    public var alert: AlertState<Action>?
    public var confirmationDialog: ConfirmationDialogState<Action>?
    public var count = 0

    public init() {}
  }

  @Mirrored public enum Action {
    case alertButtonTapped
    case alertDismissed
    case confirmationDialogButtonTapped
    case confirmationDialogDismissed
    case decrementButtonTapped
    case incrementButtonTapped
  }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .alertButtonTapped:
      state.alert = .init(
        title: .init("Take note!"),
        message: .init("It can count."),
        primaryButton: .cancel(.init("Not now")),
        secondaryButton: .default(.init("Up"), action: .send(.incrementButtonTapped)))
      return .none
    case .alertDismissed:
      state.alert = nil
      return .none
    case .confirmationDialogButtonTapped:
      state.confirmationDialog = .init(
        title: .init("Which way?"),
        message: .init("Either counts."),
        buttons: [
          .cancel(.init("Not now")),
          .default(.init("Up"), action: .send(.incrementButtonTapped)),
          .default(.init("Down"), action: .send(.decrementButtonTapped)),
        ])
      return .none
    case .confirmationDialogDismissed:
      state.confirmationDialog = nil
      return .none
    case .decrementButtonTapped:
      state.alert = .init(title: .init("Went down"))
      state.count -= 1
      return .none
    case .incrementButtonTapped:
      state.alert = .init(title: .init("Went up"))
      state.count += 1
      return .none
    }
  }

  public static var places: [AlertPlace<State, Action>] {
    [
      AlertPlace(alert: { $0.alert }, action: { $0 }, dismiss: .alertDismissed),
      AlertPlace(
        dialog: { $0.confirmationDialog }, action: { $0 }, dismiss: .confirmationDialogDismissed),
    ]
  }
}

/// What shows them: the count, and whichever question is up.
public struct QuestionView<TheStore: StoreProtocol<Question.State, Question.Action>> {
  public let viewStore: ViewStore<Question.State, Question.Action>
  /// The questions have stores of their own, as the parts of the view that show them.
  public let alert: ViewStore<AlertState<Question.Action>?, Question.Action>
  public let dialog: ViewStore<ConfirmationDialogState<Question.Action>?, Question.Action>

  public init(store: TheStore) {
    viewStore = ViewStore(store, observe: { $0 })
    alert = ViewStore(store.scope(state: \.alert), observe: { $0 })
    dialog = ViewStore(store.scope(state: \.confirmationDialog), observe: { $0 })
  }

  public var title: String? {
    (alert.state?.title ?? dialog.state?.title).map { "\($0)" }
  }

  public var buttons: [String] {
    (alert.state?.buttons ?? dialog.state?.buttons ?? []).map { "\($0.label)" }
  }

  public func dismissAlert() { alert.send(.alertDismissed) }

  public func tapAlert() { viewStore.send(.alertButtonTapped) }
  public func tapDialog() { viewStore.send(.confirmationDialogButtonTapped) }
}
