package import StateModel
internal import SyncProtocol

/// A mirror with its Swift type.
package struct TypedReplica<ViewState: Mirrored>: Replica {
  /// Nil before the first snapshot.
  package private(set) var value: ViewState?
  package let schemaHash: UInt64?

  package init(_ type: ViewState.Type) { schemaHash = Schema(of: type).hash }

  package mutating func reset(to encoded: ArraySlice<UInt8>) throws(DecodingFailure) {
    value = try ViewState(encoded: encoded)
  }

  package mutating func apply(_ delta: Delta) throws(DeltaFailure) {
    guard value != nil else { throw DeltaFailure("a delta came before the first value") }
    // In place: a second reference would copy what the delta does not touch.
    try value?.apply(delta)
  }

  package var digest: Digest { value?.digest ?? Digest(rawValue: 0) }
}

/// A mirror without a Swift type, for tools.
package struct ValueReplica: Replica {
  package private(set) var value: Value = .null
  package var schemaHash: UInt64? { nil }

  package init() {}

  package mutating func reset(to encoded: ArraySlice<UInt8>) throws(DecodingFailure) {
    value = try Value(encoded: encoded)
  }

  package mutating func apply(_ delta: Delta) throws(DeltaFailure) { try value.apply(delta) }

  package var digest: Digest { value.digest }
}
