public import Composable
public import StateModel

/// A number that goes up and down by a step, and questions about it.
///
/// The step is set by a binding. Alert and dialog can count, too. The questions run as effects that
/// can be cancelled; a new one takes the place of the one before.
public struct Counter: Reducer {
  /// What the step may be; a binding beyond is brought back to the nearest end.
  public static let steps = 1...1_000

  /// The number and what is shown beside it.
  @Mirrored public struct State {
    /// The number.
    public var count = 0
    /// How far each tap goes.
    @BindingState public var step = 1
    /// The alert that is up.
    public var alert: AlertState<Action>?
    /// The dialog that is up.
    public var confirmationDialog: ConfirmationDialogState<Action>?
    /// The question that is being worked on.
    public var question: Question?
    /// The last answer.
    public var answer: Answer?

    /// A counter at a number.
    public init(count: Int = 0) { self.count = count }
  }

  /// What can be asked.
  @Mirrored public enum Question {
    /// Whether a number is prime.
    case isPrime(Int)
    /// The nth prime.
    case nthPrime(Int)
  }

  /// A question with its answer.
  @Mirrored public struct Answer {
    /// What was asked.
    public var question: Question
    /// What came of it.
    public var result: Result

    /// An answer.
    public init(question: Question, result: Result) {
      self.question = question
      self.result = result
    }
  }

  /// What comes of a question.
  @Mirrored public enum Result {
    /// Yes or no.
    case verdict(Bool)
    /// The number asked for.
    case number(Int)
    /// Nothing: working it out failed.
    case failed
  }

  /// What can happen.
  @Mirrored public enum Action: BindableAction {
    /// The process that runs the effects has started: a pending question is worked on again.
    case started
    /// Sets the step.
    case binding(BindingAction<State>)
    /// Up by the step.
    case incrementButtonTapped
    /// Down by the step.
    case decrementButtonTapped
    /// Puts up the alert.
    case alertButtonTapped
    /// The alert is gone.
    case alertDismissed
    /// Puts up the dialog.
    case confirmationDialogButtonTapped
    /// The dialog is gone.
    case confirmationDialogDismissed
    /// Asks whether the count is prime.
    case isPrimeButtonTapped
    /// Asks for the prime whose number is the count.
    case nthPrimeButtonTapped
    /// Gives the question up.
    case cancelButtonTapped
    /// An effect has found out.
    case answered(Answer)

    /// The binding, if it is one.
    public var binding: BindingAction<State>? {
      if case .binding(let action) = self { action } else { nil }
    }
  }

  fileprivate enum CancelID { case question }

  /// A reducer of the counter.
  public init() {}

  /// Applies bindings, then counts.
  public var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .started: return state.question.map { state.ask($0) } ?? .none
      case .binding(\.$step):
        state.step = min(max(state.step, Self.steps.lowerBound), Self.steps.upperBound)
        return .none
      case .binding: return .none
      case .incrementButtonTapped: return state.count(by: state.step)
      case .decrementButtonTapped: return state.count(by: -state.step)
      case .alertButtonTapped:
        state.alert = .counting
        return .none
      case .alertDismissed:
        state.alert = nil
        return .none
      case .confirmationDialogButtonTapped:
        state.confirmationDialog = .counting
        return .none
      case .confirmationDialogDismissed:
        state.confirmationDialog = nil
        return .none
      case .isPrimeButtonTapped: return state.ask(.isPrime(state.count))
      case .nthPrimeButtonTapped:
        guard (1...Primes.greatestIndex).contains(state.count) else {
          return .reject(
            code: "invalid",
            "the count is \(state.count): count to 1 to \(Primes.greatestIndex) to ask for that prime"
          )
        }
        return state.ask(.nthPrime(state.count))
      case .cancelButtonTapped:
        state.question = nil
        return .cancel(id: CancelID.question)
      case .answered(let answer):
        // One that comes too late, or that nobody has asked for.
        guard answer.question == state.question else { return .none }
        state.question = nil
        state.answer = answer
        return .none
      }
    }
  }
}

extension Counter.State {
  /// Moves the count, which has ends.
  fileprivate mutating func count(by step: Int) -> Effect<Counter.Action> {
    let (sum, isBeyond) = count.addingReportingOverflow(step)
    guard !isBeyond else {
      return .reject("the count is at its end, \(count): go the other way")
    }
    count = sum
    return .none
  }

  /// Starts working on a question, instead of the one before.
  fileprivate mutating func ask(_ question: Counter.Question) -> Effect<Counter.Action> {
    @Dependency(\.primes) var primes
    self.question = question
    let client = primes
    return .run { send in
      await send(.answered(Counter.Answer(question: question, result: try await client(question))))
    } catch: { _, send in
      await send(.answered(Counter.Answer(question: question, result: .failed)))
    }
    .cancellable(id: Counter.CancelID.question, cancelInFlight: true)
  }
}
