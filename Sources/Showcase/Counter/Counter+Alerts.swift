import Composable

extension AlertState<Counter.Action> {
  /// An alert that can count.
  static var counting: AlertState {
    AlertState(
      title: TextState("Count?"),
      message: TextState("Everybody sees this alert, and the first answer counts."),
      buttons: [
        .cancel(TextState("Cancel")),
        .default(TextState("Increment"), action: .send(.incrementButtonTapped)),
        .default(TextState("Decrement"), action: .send(.decrementButtonTapped)),
      ])
  }
}

extension ConfirmationDialogState<Counter.Action> {
  /// A dialog that can count.
  static var counting: ConfirmationDialogState {
    ConfirmationDialogState(
      title: TextState("Which way?"),
      message: TextState("Everybody sees this dialog, and the first answer counts."),
      buttons: [
        .cancel(TextState("Cancel")),
        .default(TextState("Increment"), action: .send(.incrementButtonTapped)),
        .default(TextState("Decrement"), action: .send(.decrementButtonTapped)),
      ])
  }
}
