import Composable
import Foundation
import Seeds
import StateModel
import StatecastDaemon
import StatecastTesting

/// Hosts one of the seeds' features, the one that the environment variable `SEED` names, with one
/// view `seed` of the whole state.
@main
enum SeedsDaemon {
  static func main() async {
    switch ProcessInfo.processInfo.environment["SEED"] {
    case "note": await NoteDaemon.main()
    case "config": await ConfigDaemon.main()
    case "question": await QuestionDaemon.main()
    case "primes": await PrimesDaemon.main()
    case "refresh": await RefreshDaemon.main()
    case "refresh-handle": await CallingDaemon.main()
    case "extremes": await ExtremesDaemon.main()
    case "ledger": await LedgerDaemon.main()
    case "ledger-2": await SecondLedgerDaemon.main()
    case "renamed": await RenamedDaemon.main()
    case "workroom": await WorkroomDaemon.main()
    case "unfinished": await UnfinishedDaemon.main()
    default:
      FileHandle.standardError.write(
        Data(
          """
          Error: no seed.
          Try: SEED=note, config, question, primes, refresh, refresh-handle, extremes, ledger,
          ledger-2, renamed, workroom or unfinished.

          """.utf8))
      exit(2)
    }
  }
}

struct NoteDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Note { Note() }
  var initialState: Note.State { Note.State() }
  var views: [ViewDefinition<Note.State>] { [ViewDefinition("seed") { $0 }] }
}

struct ConfigDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: ConfigOwner { ConfigOwner() }
  var initialState: ConfigOwner.State { ConfigOwner.State() }
  var views: [ViewDefinition<ConfigOwner.State>] { [ViewDefinition("seed") { $0 }] }
}

struct QuestionDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Question { Question() }
  var initialState: Question.State { Question.State() }
  var views: [ViewDefinition<Question.State>] { [ViewDefinition("seed") { $0 }] }
  var alertPlaces: [AlertPlace<Question.State, Question.Action>] { Question.places }
}

struct PrimesDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Reduce<PrimeState, PrimeAction> { primeReducer.erased() }
  var initialState: PrimeState { PrimeState() }
  var views: [ViewDefinition<PrimeState>] { [ViewDefinition("seed") { $0 }] }
}

struct RefreshDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Trigger { Trigger() }
  var initialState: Trigger.State { Trigger.State() }
  var views: [ViewDefinition<Trigger.State>] { [ViewDefinition("seed") { $0 }] }
}

struct CallingDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Calling { Calling() }
  var initialState: Calling.State { Calling.State() }
  var views: [ViewDefinition<Calling.State>] { [ViewDefinition("seed") { $0 }] }
  func handlesChanged(_ change: HandleChange) -> Calling.Action? { .handlesChanged(change) }
}

struct ExtremesDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Extremes { Extremes() }
  var initialState: Extremes.State { Extremes.State() }
  var views: [ViewDefinition<Extremes.State>] { [ViewDefinition("seed") { $0 }] }
}

struct LedgerDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Reduce<Ledger.State, Ledger.Action> { Ledger.reducer }
  var initialState: Ledger.State { Ledger.State() }
  var views: [ViewDefinition<Ledger.State>] { [ViewDefinition("seed") { $0 }] }
}

/// The next version of that app.
struct SecondLedgerDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Reduce<Ledger.Second.State, Ledger.Second.Action> { Ledger.Second.reducer }
  var initialState: Ledger.Second.State { Ledger.Second.State() }
  var views: [ViewDefinition<Ledger.Second.State>] { [ViewDefinition("seed") { $0 }] }
}

/// The second version of an app, which renamed what clients set.
struct RenamedDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Renamed.Second.Feature { Renamed.Second.Feature() }
  var initialState: Renamed.Second.State { Renamed.Second.State() }
  var views: [ViewDefinition<Renamed.Second.State>] {
    [ViewDefinition("seed") { $0 }, ViewDefinition("shown", Renamed.Second.Shown.init)]
  }
}

/// Its clock stands still until an action moves it.
struct WorkroomDaemon: DaemonApp {
  static let clock = TestClock()

  var name: String { "seeds" }
  var reducer: some Reducer<Workroom.State, Workroom.Action> & SendableMetatype {
    Workroom(advance: { await Self.clock.advance(by: $0) })
      .dependency(\.continuousClock, Self.clock)
  }
  var initialState: Workroom.State { Workroom.State() }
  var views: [ViewDefinition<Workroom.State>] {
    [
      ViewDefinition("seed") { $0 },
      ViewDefinition("job", parameters: Int.self, reads: \.jobs) { $0[id: $1] },
    ]
  }
  var alertPlaces: [AlertPlace<Workroom.State, Workroom.Action>] { Workroom.places }
}

/// What is missing is told; `PLACES=none` leaves out where its alerts are, too.
struct UnfinishedDaemon: DaemonApp {
  var name: String { "seeds" }
  var reducer: Unfinished { Unfinished() }
  var initialState: Unfinished.State { Unfinished.State() }
  var views: [ViewDefinition<Unfinished.State>] { [ViewDefinition("seed") { $0 }] }
  var alertPlaces: [AlertPlace<Unfinished.State, Unfinished.Action>] {
    ProcessInfo.processInfo.environment["PLACES"] == "none" ? [] : Unfinished.places
  }
}
