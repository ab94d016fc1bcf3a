// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Composable
internal import Foundation
public import StateModel
internal import Synchronization

/// Not a seed: children that come and go with work under way, effects that end in every way, and a
/// question in a presentation, for what the rules say of them in a daemon.
public struct Workroom: Reducer {
  @Mirrored public struct State {
    public var urgent: Job?
    public var jobs: IdentifiedArrayOf<Job> = []
    public var shift = Shift.off
    @PresentationState public var alert: AlertState<Action.Alert>?
    @BindingState public var filter = ""
    /// What was looked for and drawn.
    public var found: [String] = []
    public var drawn: [Int] = []
    public var log: [String] = []
    public var stamps: [Stamp] = []

    public init() {}
  }

  @Mirrored public struct Job: Identifiable {
    public var id: Int
    public var isDone = false

    public init(id: Int, isDone: Bool = false) { (self.id, self.isDone) = (id, isDone) }

    @CasePathable @Mirrored public enum Action {
      case began
      case finished
    }

    /// Works for a second of the daemon's clock.
    public struct Work: Reducer, Sendable {
      @Dependency(\.continuousClock) var clock

      public func reduce(into state: inout Job, action: Job.Action) -> Effect<Job.Action> {
        switch action {
        case .began:
          return .run { [clock] send in
            try await clock.sleep(for: .seconds(1))
            await send(.finished)
          }
          .cancellable(id: "work")
        case .finished:
          state.isDone = true
          return .none
        }
      }
    }
  }

  @CasePathable @Mirrored public enum Shift {
    case off
    case on(Job)
    case night(Job)

    @CasePathable @Mirrored public enum Action {
      case on(Job.Action)
      case changed(Shift)
    }
  }

  /// What a commit's dependencies were.
  @Mirrored public struct Stamp {
    public var date: Double
    public var dice: Int
    public var id: String
    public var origin: UInt64?
    public var commit: UInt64
  }

  @CasePathable @Mirrored public enum Action: BindableAction {
    case alert(PresentationAction<Alert>)
    case binding(BindingAction<State>)
    case urgent(Job.Action)
    case jobs(IdentifiedActionOf<Job.Work>)
    case shift(Shift.Action)
    case urgentChanged(Job?)
    case jobAdded(Job)
    case jobRemoved(Int)
    case workCancelled
    case typed(String)
    case found(String)
    case scrolled(Int)
    case drawn(Int)
    case failed(Failure)
    case logged(String)
    case stamped
    case asked
    /// Moves the daemon's clock by this many milliseconds.
    case clockMoved(Int)

    @Mirrored public enum Alert {
      case confirmed
    }

    /// How an effect ends.
    @Mirrored public enum Failure: Error {
      case caught
      case uncaught
      case cancelled
      case late
    }
  }

  private let advance: @Sendable (Duration) async -> Void

  /// - Parameter advance: moves the clock that the effects wait on.
  public init(advance: @escaping @Sendable (Duration) async -> Void) { self.advance = advance }

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .binding = action { state.log.append("before: \(state.filter)") }
      return .none
    }
    BindingReducer()
    Scope(state: \.shift, action: \.shift) {
      Reduce { state, action in
        if case .changed(let shift) = action { state = shift }
        return .none
      }
      .ifCaseLet(\.on, action: \.on) { Job.Work() }
    }
    Reduce { state, action in handle(action, &state) }
      .ifLet(\.urgent, action: \.urgent) { Job.Work() }
      .ifLet(\.$alert, action: \.alert)
      .forEach(\.jobs, action: \.jobs) { Job.Work() }
      .onChange(of: \.found) { old, new in
        Reduce { state, _ in
          state.log.append("found: \(old.count) → \(new.count)")
          return .none
        }
      }
  }

  private func handle(_ action: Action, _ state: inout State) -> Effect<Action> {
    switch action {
    case .binding: state.log.append("after: \(state.filter)")
    case .urgentChanged(let job): state.urgent = job
    case .jobAdded(let job): state.jobs.append(job)
    case .jobRemoved(let id): state.jobs.remove(id: id)
    case .workCancelled: return .cancel(id: "work")
    case .typed(let text):
      return .run { send in await send(.found(text)) }
        .debounce(id: "typing", for: .seconds(1))
    case .found(let text): state.found.append(text)
    case .scrolled(let place):
      return .run { send in await send(.drawn(place)) }
        .throttle(id: "scrolling", for: .seconds(1), latest: true)
    case .drawn(let place): state.drawn.append(place)
    case .failed(let failure): return Self.effect(ending: failure)
    case .logged(let line): state.log.append(line)
    case .stamped: state.stamps.append(Self.stamp())
    case .asked: state.alert = Self.question
    case .alert(.presented(.confirmed)): state.log.append("confirmed")
    case .alert(.dismiss): state.log.append("dismissed")
    case .clockMoved(let milliseconds):
      return .run { [advance] _ in await advance(.milliseconds(milliseconds)) }
    case .urgent, .jobs, .shift: break
    }
    return .none
  }

  /// The same question each time, which is a new one each time.
  static var question: AlertState<Action.Alert> {
    AlertState {
      TextState("Sure?")
    } actions: {
      ButtonState(action: .confirmed) { TextState("Yes") }
      ButtonState(role: .cancel) { TextState("No") }
    }
  }

  public static var places: [AlertPlace<State, Action>] {
    [AlertPlace(alert: { $0.alert }, presentation: { .alert($0) })]
  }

  private static func effect(ending failure: Action.Failure) -> Effect<Action> {
    switch failure {
    case .caught:
      .run { _ in
        throw failure
      } catch: { error, send in
        await send(.logged("caught \(error)"))
      }
    case .uncaught: .run { _ in throw failure }
    case .cancelled:
      .run { _ in
        throw CancellationError()
      } catch: { error, send in
        await send(.logged("caught \(error)"))
      }
    case .late:
      // The second effect begins once the first has ended, and sends with what that left behind.
      .concatenate(
        .run { send in Self.kept.withLock { $0 = send } },
        .run { send in
          await Self.kept.withLock { $0 }?(.logged("too late"))
          await send(.logged("in time"))
        })
    }
  }

  private static let kept = Mutex<Send<Action>?>(nil)

  private static func stamp() -> Stamp {
    @Dependency(\.date) var date
    @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
    @Dependency(\.uuid) var uuid
    @Dependency(\.origin) var origin
    @Dependency(\.commit) var commit
    return Stamp(
      date: date.now.timeIntervalSinceReferenceDate,
      dice: withRandomNumberGenerator { Int.random(in: 1...1_000_000, using: &$0) },
      id: "\(uuid())", origin: origin, commit: commit)
  }
}
