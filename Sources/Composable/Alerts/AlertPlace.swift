public import FoundationEssentials

/// Where in an app's state an alert or dialog may stand, and what answering it sends.
///
/// A daemon is told of each place, so that any client can answer: the button's action is taken from
/// the daemon's own state, no client can forge one. The action and the clearing are one commit.
public struct AlertPlace<State, Action: Sendable>: Sendable {
  /// A question that is there.
  struct Question {
    let id: UUID
    /// What each button sends; nil for one that only dismisses.
    let buttons: [Action?]
    let dismiss: Action
    /// Whether a button's action takes the question away.
    let clearsItself: Bool
    let terms: QuestionTerms?
  }

  let question: @Sendable (State) -> Question?

  /// An alert that a `dismiss` action of the app's takes away: after a button's action that action
  /// follows, unless another alert is up by then.
  public init<ButtonAction>(
    alert: @escaping @Sendable (State) -> AlertState<ButtonAction>?,
    action: @escaping @Sendable (ButtonAction) -> Action, dismiss: Action
  ) {
    question = { state in
      alert(state).map {
        Question(
          id: $0.id, buttons: $0.buttons.map { $0.action.map(action) }, dismiss: dismiss,
          clearsItself: false, terms: $0.terms)
      }
    }
  }

  /// A dialog that a `dismiss` action of the app's takes away.
  public init<ButtonAction>(
    dialog: @escaping @Sendable (State) -> ConfirmationDialogState<ButtonAction>?,
    action: @escaping @Sendable (ButtonAction) -> Action, dismiss: Action
  ) {
    question = { state in
      dialog(state).map {
        Question(
          id: $0.id, buttons: $0.buttons.map { $0.action.map(action) }, dismiss: dismiss,
          clearsItself: false, terms: $0.terms)
      }
    }
  }

  /// An alert that `ifLet(\.$alert, action:)` takes away.
  public init<ButtonAction>(
    alert: @escaping @Sendable (State) -> AlertState<ButtonAction>?,
    presentation: @escaping @Sendable (PresentationAction<ButtonAction>) -> Action
  ) {
    question = { state in
      alert(state).map {
        Question(
          id: $0.id, buttons: $0.buttons.map { $0.action.map { presentation(.presented($0)) } },
          dismiss: presentation(.dismiss), clearsItself: true, terms: $0.terms)
      }
    }
  }

  /// A dialog that `ifLet(\.$dialog, action:)` takes away.
  public init<ButtonAction>(
    dialog: @escaping @Sendable (State) -> ConfirmationDialogState<ButtonAction>?,
    presentation: @escaping @Sendable (PresentationAction<ButtonAction>) -> Action
  ) {
    question = { state in
      dialog(state).map {
        Question(
          id: $0.id, buttons: $0.buttons.map { $0.action.map { presentation(.presented($0)) } },
          dismiss: presentation(.dismiss), clearsItself: true, terms: $0.terms)
      }
    }
  }

  /// The places of a child as its parent's.
  public func pullback<ParentState, ParentAction: Sendable>(
    state toChildState: @escaping @Sendable (ParentState) -> State?,
    action embed: @escaping @Sendable (Action) -> ParentAction
  ) -> AlertPlace<ParentState, ParentAction> {
    let question = question
    return AlertPlace<ParentState, ParentAction> { parentState in
      toChildState(parentState).flatMap(question).map {
        AlertPlace<ParentState, ParentAction>.Question(
          id: $0.id, buttons: $0.buttons.map { $0.map(embed) }, dismiss: embed($0.dismiss),
          clearsItself: $0.clearsItself, terms: $0.terms)
      }
    }
  }

  private init(_ question: @escaping @Sendable (State) -> Question?) { self.question = question }
}

/// An answer to a question in the state, as actions.
package struct AlertAnswer<State, Action: Sendable> {
  /// What is sent first.
  package let action: Action
  /// What follows in the same commit, if the question is still up then.
  package let followUp: (State) -> Action?
  /// Why the question is still up after both, as it must not be: it would be asked again of everybody,
  /// and be answered twice. Nil where it is gone.
  package let mistake: (State) -> AlertMistake?

  /// Why an answer is none.
  package enum Refusal: Error, Equatable, Sendable {
    /// The app has told of no place where a question may be.
    case noPlace
    /// No question with this id is up: it was answered, dismissed, or never there.
    case noQuestion
    /// The question has fewer buttons.
    case noButton(count: Int)
    /// Its terms do not let this one answer.
    case forbidden(String)
  }

  /// Who answers.
  package enum Answerer: Equatable, Sendable {
    /// The store or daemon itself: nothing is asked.
    case itself
    case client(UInt64, isAdmin: Bool)
  }

  /// The answer with a button, by its index, or by dismissing (nil).
  package init(
    to id: UUID, button: Int?, in state: State, of places: [AlertPlace<State, Action>],
    by answerer: Answerer = .itself
  ) throws(Refusal) {
    for place in places {
      guard let question = place.question(state), question.id == id else { continue }
      if case .client(let origin, let isAdmin) = answerer,
        let text = question.terms?.refusal(of: origin, isAdmin: isAdmin)
      {
        throw .forbidden(text)
      }
      if let button, !question.buttons.indices.contains(button) {
        throw .noButton(count: question.buttons.count)
      }
      mistake = { state in
        guard place.question(state)?.id == id else { return nil }
        return question.clearsItself ? .ifLetIsMissing : .dismissalIsIgnored
      }
      guard let button, let action = question.buttons[button] else {
        action = question.dismiss
        followUp = { _ in nil }
        return
      }
      self.action = action
      followUp = { state in
        guard !question.clearsItself, place.question(state)?.id == id else { return nil }
        return question.dismiss
      }
      return
    }
    throw places.isEmpty ? .noPlace : .noQuestion
  }
}

/// What an app's author forgot, so that a question stays up once it was answered.
package enum AlertMistake: Sendable {
  case ifLetIsMissing
  case dismissalIsIgnored

  /// For whoever answered.
  package var text: String {
    switch self {
    case .ifLetIsMissing: "the app does not take an answered question away: its ifLet is missing"
    case .dismissalIsIgnored:
      "the app does not take an answered question away: its action for that does nothing"
    }
  }

  /// For the app's author.
  package var advice: String {
    switch self {
    case .ifLetIsMissing:
      """
      An alert was answered, but is still up. Add '.ifLet(\\.$alert, action: \\.alert)', with its own \
      names, to the reducer that puts it up.
      """
    case .dismissalIsIgnored:
      """
      An alert was answered and dismissed, but is still up. Let the reducer set it to nil at the action \
      that its 'AlertPlace' has as 'dismiss'.
      """
    }
  }
}

/// A question that is up and has a deadline.
package struct DueQuestion: Equatable, Sendable {
  package let id: UUID
  package let deadline: QuestionTerms.Deadline
}

extension Array {
  /// The questions that are up and have a deadline, the earliest first. A date that is no number
  /// never comes.
  package func dueAnswers<State, Action>(in state: State) -> [DueQuestion]
  where Element == AlertPlace<State, Action> {
    compactMap { place in
      place.question(state).flatMap { question in
        question.terms?.deadline.map { DueQuestion(id: question.id, deadline: $0) }
      }
    }
    .filter { !$0.deadline.date.timeIntervalSinceReferenceDate.isNaN }
    .sorted { $0.deadline.date < $1.deadline.date }
  }
}

extension StoreProtocol {
  /// Answers a question that is up with a button, by its index, or dismisses it (nil); false when
  /// it is not up any more. After a button's action the dismissal follows, unless the action has
  /// put up another question.
  @discardableResult
  public func answer(
    _ id: UUID, button: Int?, of places: [AlertPlace<State, Action>]
  ) -> Bool {
    guard let answer = try? AlertAnswer(to: id, button: button, in: state, of: places) else {
      return false
    }
    send(answer.action)
    if let next = answer.followUp(state) { send(next) }
    if let mistake = answer.mistake(state) {
      reportIssue(
        IssueReport(mistake.advice, at: SourceLocation(fileID: "\(State.self)", line: 0)))
    }
    return true
  }
}
