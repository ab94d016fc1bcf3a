public import Composable
public import StateModel

/// A value that processes share through a daemon: read at memory speed, set by assigning.
///
///     @Shared("player/volume") var volume = 0.5
///     volume = 0.7
///
/// It reads the mirror of a view and writes a binding: what was assigned is read at once, and is the
/// daemon's once the mirror shows it. `$volume` is the sequence of its values:
///
///     for await volume in $volume { … }
///
/// The path leads into the workspace of the ready-made daemon; `.view` takes a field of any app's
/// view. What is written behind it is read until the first value has come: `$volume.ready()` waits.
/// Usable from any isolation; copies share one mirror, which ends with the last of them.
@propertyWrapper
public struct Shared<Value: Mirrored>: Sendable {
  let cell: SharedCell<Value>

  /// A value at a place of a daemon.
  ///
  /// - Parameters:
  ///   - wrappedValue: what is read while nothing is there.
  ///   - source: where it is.
  ///   - daemon: which daemon; the user's own unless told otherwise.
  public init(
    wrappedValue: Value, _ source: SharedSource<Value>,
    on daemon: DaemonConnection.Options = .user()
  ) {
    cell = SharedCell(source, standIn: wrappedValue, on: daemon)
    cell.open()
  }

  /// A value in the workspace.
  ///
  /// - Parameters:
  ///   - wrappedValue: what is read while nothing is there.
  ///   - path: `player/volume`; objects on the way that are not there are made by the first set.
  ///   - daemon: which daemon; the user's own unless told otherwise.
  public init(
    wrappedValue: Value, _ path: String, on daemon: DaemonConnection.Options = .user()
  ) {
    self.init(wrappedValue: wrappedValue, .workspace(path), on: daemon)
  }

  /// An optional value at a place of a daemon: nil while nothing is there.
  public init(_ source: SharedSource<Value>, on daemon: DaemonConnection.Options = .user())
  where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, source, on: daemon)
  }

  /// An optional value in the workspace: nil while nothing is there.
  public init(_ path: String, on daemon: DaemonConnection.Options = .user())
  where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, path, on: daemon)
  }

  /// The value: what was assigned last until the mirror shows it, else the mirror's.
  public var wrappedValue: Value {
    get { cell.value }
    nonmutating set { cell.set(newValue) }
  }

  /// The sequence of its values, and what is known about it.
  public var projectedValue: Shared { self }

  /// A binding to it.
  public var binding: Binding<Value> {
    Binding(get: { cell.value }, set: { cell.set($0) })
  }
}

extension Shared: AsyncSequence {
  /// What the sequence gives.
  public typealias Element = Value

  /// The present value at once, then every one that differs.
  public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    cell.values.makeAsyncIterator()
  }
}

extension Shared {
  /// Waits for the first value from the daemon.
  ///
  /// - Throws: when no daemon answers in time, or it refuses the view.
  public func ready() async throws(ConnectionFailure) { try await cell.ready() }

  /// Sets the value, and waits until the mirror shows what became of it.
  ///
  /// - Throws: when it is refused; the value is the daemon's then.
  public func set(_ value: Value) async throws(ActionFailure) { try await cell.perform(value) }

  /// Why the value may differ from the daemon's; nil when it is known to be exact.
  public var staleness: String? { cell.staleness }

  /// The last set that the daemon refused; nil when there was none.
  public var lastRefusedSet: RefusedSet? { cell.lastRefusedSet }
}
