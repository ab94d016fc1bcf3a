internal import StateModel
internal import SyncProtocol

/// A mirror with its Swift type.
struct TypedReplica<ViewState: Mirrored>: Replica {
  /// Nil before the first snapshot.
  private(set) var value: ViewState?
  let schemaHash: UInt64?

  init(_ type: ViewState.Type) { schemaHash = Schema(of: type).hash }

  mutating func reset(to encoded: ArraySlice<UInt8>) throws(DecodingFailure) {
    value = try ViewState(encoded: encoded)
  }

  mutating func apply(_ delta: Delta) throws(DeltaFailure) {
    guard value != nil else { throw DeltaFailure("a delta came before the first value") }
    // In place: a second reference would copy what the delta does not touch.
    try value?.apply(delta)
  }

  var digest: Digest { value?.digest ?? Digest(rawValue: 0) }
}

/// A mirror without a Swift type, for tools.
struct ValueReplica: Replica {
  private(set) var value: Value = .null
  var schemaHash: UInt64? { nil }

  init() {}

  mutating func reset(to encoded: ArraySlice<UInt8>) throws(DecodingFailure) {
    value = try Value(encoded: encoded)
  }

  mutating func apply(_ delta: Delta) throws(DeltaFailure) { try value.apply(delta) }

  var digest: Digest { value.digest }
}
