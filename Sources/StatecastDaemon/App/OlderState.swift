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
  /// place (`UnknownFields`, `UnknownCase`), or it throws. So it does where nothing at all is this
  /// version's: that is the state of another app.
  public func read<State: Mirrored>(as type: State.Type = State.self) throws -> State {
    let state = try State(value)
    if isLater, state.digest != value.digest { throw LaterState() }
    if !isLater, isForeign(to: state) { throw ForeignState() }
    return state
  }

  /// Whether no field of the value is one of the state's, which is as if nothing had been read.
  private func isForeign(to state: some Mirrored) -> Bool {
    guard case .map(let fields) = value, !fields.isEmpty, case .map(let found) = Value(of: state),
      !fields.contains(where: { found[$0.key] != nil })
    else { return false }
    return Self.reads(nothingOf: state)
  }

  private static func reads<State: Mirrored>(nothingOf state: State) -> Bool {
    (try? State([:] as Value))?.isIdentical(to: state) ?? false
  }
}

/// No field of a state is one that this app has.
struct ForeignState: Error, CustomStringConvertible {
  var description: String { "it has no field that this app has: another app wrote it" }
}

/// A later version of the app wrote more than this one knows.
struct LaterState: Error, CustomStringConvertible {
  var description: String { "a later version of the app wrote it, and this one would lose a part" }
}
