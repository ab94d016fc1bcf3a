package import StateModel
internal import SyncProtocol

/// A mirror with its Swift type.
///
/// Where the daemon's version of the app is another one, its view may hold what this program does
/// not know, or lack what this one would write. The exact value is then kept beside the typed one,
/// which is what this program can read of it.
package struct TypedReplica<ViewState: Mirrored>: Replica {
  /// Nil before the first snapshot.
  package private(set) var value: ViewState?
  package let schemaHash: UInt64?
  /// What of the daemon's view is not in `value`.
  package private(set) var omissions = Omissions()
  /// The daemon's view as it is, where `value` is not the whole of it.
  private var exact: Value?

  package init(_ type: ViewState.Type) { schemaHash = Schema(of: type).hash }

  package mutating func reset(
    to encoded: ArraySlice<UInt8>, digest: Digest
  ) throws(DecodingFailure) {
    exact = nil
    omissions = Omissions()
    value = try? ViewState(encoded: encoded)
    if let value, value.digest == digest { return }
    exact = try Value(encoded: encoded)
    if value == nil { value = try ViewState(encoded: encoded, omitting: &omissions) }
  }

  package mutating func apply(_ delta: Delta) throws(DeltaFailure) {
    // In place: a second reference would copy what the delta does not touch. What came of it says
    // whether there was a value: to compare a generic one with nil is to copy it.
    if exact == nil {
      let applied: Void? = try value?.apply(delta)
      if applied == nil { throw DeltaFailure("a delta came before the first value") }
      return
    }
    try exact?.apply(delta)
    // Where nothing was left out, positions are the same in both.
    if omissions.isEmpty, (try? value?.apply(delta)) != nil { return }
    do throws(DecodingFailure) {
      value = try ViewState(encoded: (exact ?? .null).encoded()[...], omitting: &omissions)
    } catch {
      throw DeltaFailure(error)
    }
  }

  package var digest: Digest { exact?.digest ?? value?.digest ?? Digest(rawValue: 0) }
}

/// A mirror without a Swift type, for tools.
package struct ValueReplica: Replica {
  package private(set) var value: Value = .null
  package var schemaHash: UInt64? { nil }

  package init() {}

  package mutating func reset(
    to encoded: ArraySlice<UInt8>, digest _: Digest
  ) throws(DecodingFailure) {
    value = try Value(encoded: encoded)
  }

  package mutating func apply(_ delta: Delta) throws(DeltaFailure) { try value.apply(delta) }

  package var digest: Digest { value.digest }
}
