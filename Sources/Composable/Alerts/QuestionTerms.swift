public import FoundationEssentials
public import StateModel

/// Who may answer an alert or dialog, and when it is answered by itself.
@Mirrored public struct QuestionTerms: Hashable {
  /// Who may answer; nil for everybody who may act.
  public var answerers: Answerers?
  /// When it is answered by itself; nil for never.
  public var deadline: Deadline?

  /// Terms from their parts.
  public init(answerers: Answerers? = nil, deadline: Deadline? = nil) {
    self.answerers = answerers
    self.deadline = deadline
  }

  /// Who may answer.
  @Mirrored public enum Answerers: Hashable {
    /// The client of this public number.
    case client(UInt64)
    /// Whoever has the admin's role: the daemon's own user.
    case admin
  }

  /// When a question is answered by itself, and how.
  @Mirrored public struct Deadline: Hashable {
    /// When.
    public var date: Date
    /// The button that is the answer then, by its index; nil dismisses.
    public var button: Int?

    /// A deadline.
    public init(date: Date, button: Int?) {
      self.date = date
      self.button = button
    }
  }

  /// Why somebody may not answer; nil when they may.
  func refusal(of origin: UInt64?, isAdmin: Bool) -> String? {
    switch answerers {
    case .client(let number) where number != origin:
      "only client \(number) may answer this question"
    case .admin where !isAdmin: "only an admin may answer this question"
    default: nil
    }
  }
}

/// An alert or dialog with terms.
public protocol QuestionWithTerms {
  /// Who may answer, and when it is answered by itself; nil for everybody, and never.
  var terms: QuestionTerms? { get set }
}

extension QuestionWithTerms {
  /// The same question, which only these may answer. Others are refused with `forbidden`.
  public func answered(by answerers: QuestionTerms.Answerers) -> Self {
    var question = self
    question.terms = QuestionTerms(answerers: answerers, deadline: terms?.deadline)
    return question
  }

  /// The same question, answered by itself at a date unless somebody has answered before.
  ///
  ///     @Dependency(\.date) var date
  ///     state.alert = AlertState { … }.answered(at: date.now + 30, with: 0)
  ///
  /// - Parameters:
  ///   - date: when; a reducer takes it from the `date` dependency.
  ///   - button: the answer, by the button's index; nil dismisses.
  public func answered(at date: Date, with button: Int?) -> Self {
    var question = self
    question.terms = QuestionTerms(
      answerers: terms?.answerers, deadline: QuestionTerms.Deadline(date: date, button: button))
    return question
  }
}

extension AlertState: QuestionWithTerms {}
extension ConfirmationDialogState: QuestionWithTerms {}
