public import Composable
public import StateModel

/// An app that a daemon hosts: a reducer, where it begins, and the views that clients may ask for.
///
///     @main
///     struct CounterDaemon: DaemonApp {
///       var name: String { "counter" }
///       var reducer: Counter { Counter() }
///       var initialState: Counter.State { Counter.State() }
///       var views: [ViewDefinition<Counter.State>] { [ViewDefinition("counter") { $0 }] }
///     }
///
/// `main()` reads flags, environment and the configuration file, recovers the journal, tells the
/// service manager when it is ready, and serves until SIGTERM.
public protocol DaemonApp: SendableMetatype {
  /// The app's one reducer. Where the compiler misses this type, its state or action is not `@Mirrored`;
  /// written out (`typealias Root = Counter`) it says which.
  associatedtype Root: Reducer & SendableMetatype where Root.State: Mirrored, Root.Action: Mirrored

  /// The daemon makes one.
  init()

  /// The name in logs and `--help`; also the folder that its sockets and journal are in. There is no
  /// default: two apps with one name would take each other's journal.
  var name: String { get }

  /// The reducer of the whole state. One that is put together has a type that nobody writes out: `var
  /// reducer: some ReducerOf<Counter> & SendableMetatype { Counter()._printChanges() }`.
  var reducer: Root { get }

  /// The state of a journal that is new.
  var initialState: Root.State { get }

  /// What clients may subscribe to.
  var views: [ViewDefinition<Root.State>] { get }

  /// Where alerts and dialogs may stand in the state: any client can answer those.
  var alertPlaces: [AlertPlace<Root.State, Root.Action>] { get }

  /// An action that is sent first in every run of the daemon: restart or reset there what was
  /// running when the daemon ended. Nil sends none.
  var started: Root.Action? { get }

  /// The action of the app's own that lists who is there: sent when a client that asked to be
  /// listed comes, goes, or is silent for a while, and first of all in every run of the daemon. Nil
  /// (for every change) lists nobody.
  ///
  /// Any client can send any action: the reducer rejects those that are not
  /// `PresenceChange.isCredible(from:)`.
  func presenceChanged(_ change: PresenceChange) -> Root.Action?

  /// The action of the app's own that keeps in the state which handles clients offer. Nil (for every
  /// change) keeps none, and then none can be offered.
  ///
  /// Any client can send any action: the reducer rejects those that are not
  /// `HandleChange.isCredible(from:)`.
  func handlesChanged(_ change: HandleChange) -> Root.Action?

  /// Whether this origin may send this action. The default allows everything to whoever may act.
  func authorize(_ action: Root.Action, origin: UInt64?) -> Bool

  /// Makes the state of this version of the app of one that another version left in the journal.
  /// Called when the schema of the state has changed, before anything is served.
  ///
  /// The default reads what can be read: fields that are missing take their defaults, renamed ones
  /// are found under their aliases. Write one where that is not enough: change the value, then read
  /// it with `Root.State(value)`. What it throws stops the start, and the journal stays as it was.
  func migrate(_ old: OlderState) throws -> Root.State

  /// How one action is run. Leave it as it is: it is here so that it is compiled with the app.
  var actionStep: ActionStep<Root> { get }
}

extension DaemonApp {
  /// Nothing is asked.
  public var alertPlaces: [AlertPlace<Root.State, Root.Action>] { [] }
  /// No action of its own.
  public var started: Root.Action? { nil }
  /// Nobody is listed.
  public func presenceChanged(_ change: PresenceChange) -> Root.Action? { nil }
  /// Nothing can be offered.
  public func handlesChanged(_ change: HandleChange) -> Root.Action? { nil }
  /// Everything is allowed to whoever may act.
  public func authorize(_ action: Root.Action, origin: UInt64?) -> Bool { true }
  /// Reads it as it is.
  public func migrate(_ old: OlderState) throws -> Root.State { try old.read() }
  /// The step of the app's reducer.
  @inlinable public var actionStep: ActionStep<Root> { ActionStep() }
}
