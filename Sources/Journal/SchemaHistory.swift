/// The schemas that the states of a journal have had, oldest first: how an older version of an app
/// knows that a newer one has been here.
///
/// Kept as text in the table `meta`. Nothing but that question depends on it.
struct SchemaHistory: Equatable, Sendable {
  static let key = "schemas"
  /// More changes of an app's state than these are not remembered.
  static let kept = 256

  private(set) var hashes: [UInt64] = []

  /// None.
  init() {}

  /// From what `text` gave; what is no number is left out.
  init(_ text: String) {
    hashes = text.split(separator: " ").compactMap { UInt64($0, radix: 16) }
  }

  var text: String { hashes.map { String($0, radix: 16) }.joined(separator: " ") }

  /// Whether `written` came after `own`.
  func isReplaced(_ own: UInt64, by written: UInt64) -> Bool {
    guard own != written, let at = hashes.firstIndex(of: own) else { return false }
    return hashes[at...].contains(written)
  }

  /// States are written with `own` from now on, and were with `written` before.
  mutating func append(_ own: UInt64, replacing written: UInt64?) {
    for hash in [written, own].compactMap(\.self) where hashes.last != hash {
      // Each stands where it came last.
      hashes.removeAll { $0 == hash }
      hashes.append(hash)
    }
    if hashes.count > Self.kept { hashes.removeFirst(hashes.count - Self.kept) }
  }
}
