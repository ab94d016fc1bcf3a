internal import Synchronization

/// Numbers that tell one content of a node from all others in this process.
///
/// Entries with the same number lead to the same content. Comparing numbers touches no node, where
/// comparing the storage that entries lead to counts a reference to each.
enum BlockStamp {
  private static let last = Atomic<UInt64>(0)

  /// A number that nothing has yet.
  static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
