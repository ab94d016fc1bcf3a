public import StateModel

extension Counter {
  /// What the view `counter` shows.
  @Mirrored public struct ViewState {
    /// The number.
    public var count: Int
    /// How far each tap goes.
    public var step: Int
    /// The question that is being worked on.
    public var question: Question?
    /// The last answer.
    public var answer: Answer?

    /// The view of a state.
    public init(_ state: State) {
      count = state.count
      step = state.step
      question = state.question
      answer = state.answer
    }
  }
}
