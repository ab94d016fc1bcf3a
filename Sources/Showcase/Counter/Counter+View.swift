public import Composable
public import StateModel

extension Counter {
  /// What the view `counter` shows.
  @Mirrored public struct ViewState {
    /// The number.
    public var count: Int
    /// How far each tap goes.
    public var step: Int
    /// The alert that is up.
    public var alert: AlertState<Action>?
    /// The dialog that is up.
    public var confirmationDialog: ConfirmationDialogState<Action>?
    /// The question that is being worked on.
    public var question: Question?
    /// The last answer.
    public var answer: Answer?

    /// The view of a state.
    public init(_ state: State) {
      count = state.count
      step = state.step
      alert = state.alert
      confirmationDialog = state.confirmationDialog
      question = state.question
      answer = state.answer
    }
  }
}
