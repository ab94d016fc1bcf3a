/// The changes that bring one value to another: an encoded array of changes, applied all or none.
public struct Delta: Equatable, Sendable {
  /// The encoded array, as it travels and as the journal keeps it.
  public var bytes: [UInt8]

  /// A delta from the wire or the journal. Nothing is checked before it is applied.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The delta without changes.
  public static let empty = Delta(bytes: [0x80])

  /// Whether there is nothing to apply.
  public var isEmpty: Bool { bytes == [0x80] }

  /// Decodes the changes one by one, in order.
  public func read(_ body: (Change) throws(DeltaFailure) -> Void) throws(DeltaFailure) {
    var decoder = CBORDecoder(bytes)
    do {
      // One for all, whose path's memory is used again unless somebody has kept it.
      var change = Change(path: [], operation: .remove)
      for _ in 0..<(try decoder.array()) {
        try Self.read(&change, from: &decoder)
        try body(change)
      }
      try decoder.finish()
    } catch let failure as DecodingFailure {
      throw DeltaFailure(failure)
    } catch let failure as DeltaFailure {
      throw failure
    } catch {
      throw DeltaFailure("\(error)")
    }
  }

  /// All changes; for tools and tests.
  public func changes() throws(DeltaFailure) -> [Change] {
    var all: [Change] = []
    try read { (change) throws(DeltaFailure) in all.append(change) }
    return all
  }

  private static func read(
    _ change: inout Change, from decoder: inout CBORDecoder
  ) throws(DecodingFailure) {
    let count = try decoder.array()
    let kind = try decoder.unsigned()
    let length = try decoder.array()
    // Where the one before was as long, as it mostly is, its places are used again, and what leads to
    // the same part is the same item.
    if change.path.count != length {
      change.path.removeAll(keepingCapacity: true)
      change.path.reserveCapacity(min(length, CBORDecoder.maximumDepth))
      for _ in 0..<length { change.path.append(try decoder.item()) }
    } else {
      for index in change.path.indices where !decoder.passes(change.path[index]) {
        change.path[index] = try decoder.item()
      }
    }
    // An item stands as deep as its path is long, and not deeper because a delta carries it.
    decoder.depth = length
    defer { decoder.depth = 0 }
    switch (kind, count) {
    case (0, 3): change.operation = .set(try decoder.item())
    case (1, 2): change.operation = .remove
    case (2, 5):
      let index = try position(&decoder)
      let removed = try position(&decoder)
      var items: [ArraySlice<UInt8>] = []
      let itemCount = try decoder.array()
      try decoder.enter()
      for _ in 0..<itemCount { items.append(try decoder.item()) }
      change.operation = .splice(index: index, removed: removed, items: items)
    case (3, 4):
      change.operation = .move(from: try position(&decoder), to: try position(&decoder))
    case (4, 5):
      change.operation = .text(
        offset: try position(&decoder), removed: try position(&decoder),
        inserted: try decoder.textBytes())
    default:
      throw DecodingFailure(.notDeterministic, "no change has kind \(kind) and \(count) elements")
    }
  }

  private static func position(_ decoder: inout CBORDecoder) throws(DecodingFailure) -> Int {
    let value = try decoder.unsigned()
    guard value <= UInt64(Int32.max) else {
      throw DecodingFailure(.outOfRange, "\(value) is no position")
    }
    return Int(value)
  }
}
