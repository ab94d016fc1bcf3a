internal import FoundationEssentials
internal import SyncProtocol

/// Who answered which alert or dialog of late, so that a late answer can be told.
///
/// Bounded and of this run only: a question that was answered before is simply gone.
struct AnsweredQuestions: Sendable {
  /// An answer that was taken.
  struct Answer: Sendable {
    var origin: PublicNumber?
    var commit: CommitNumber
    /// Seconds since 2001-01-01.
    var date: Double

    /// `client 3 answered at commit 12`.
    var text: String {
      let who = origin.map { "client \($0)" } ?? "the daemon"
      return
        "\(who) answered first, in commit \(commit) at \(Date(timeIntervalSinceReferenceDate: date).formatted(.iso8601))"
    }
  }

  /// How many are remembered.
  private static let most = 64

  private var answers: [(question: UUID, answer: Answer)] = []

  mutating func add(
    _ question: UUID, by origin: PublicNumber?, at commit: CommitNumber, date: Double
  ) {
    if answers.count == Self.most { answers.removeFirst() }
    answers.append((question, Answer(origin: origin, commit: commit, date: date)))
  }

  func answer(to question: UUID) -> Answer? {
    answers.last { $0.question == question }?.answer
  }
}
