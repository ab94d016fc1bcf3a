public import StateModel

/// A state as another version of the app wrote it, for `DaemonApp.migrate(_:)`.
public struct OlderState: Sendable {
  /// The state, without the types that it had.
  public var value: Value
  /// Of the schema that it had; `statecast schema` shows that of the daemon that runs.
  public let schemaHash: UInt64
  /// Whether a later version of the app than this wrote it: this one's state has been migrated in
  /// this journal before.
  public let isLater: Bool

  package init(value: Value, schemaHash: UInt64, isLater: Bool = false) {
    self.value = value
    self.schemaHash = schemaHash
    self.isLater = isLater
  }

  /// Reads the value as this version's state: missing fields take their defaults, renamed ones are
  /// found under their aliases.
  ///
  /// Of what a later version wrote nothing is left out: what this one does not know has to have a
  /// place (`UnknownFields`, `UnknownCase`), or it throws.
  public func read<State: Mirrored>(as type: State.Type = State.self) throws -> State {
    let state = try State(value)
    if isLater, state.digest != value.digest { throw LaterState() }
    return state
  }
}

/// A later version of the app wrote more than this one knows.
struct LaterState: Error, CustomStringConvertible {
  var description: String { "a later version of the app wrote it, and this one would lose a part" }
}
