internal import StateModel

/// A large value on its way: the daemon has pinned it, and it comes in chunks.
struct SnapshotPull: Sendable {
  let answer: UInt64
  /// Nil until the first chunk tells it: the daemon may begin to encode only when it is asked.
  private(set) var size: UInt64?
  /// Where the mirror stands once it has all of it.
  let number: CommitNumber
  let digest: Digest
  private(set) var bytes: [UInt8] = []

  /// - Parameter size: 0 where the daemon does not know it yet.
  init(answer: UInt64, size: UInt64, number: CommitNumber, digest: Digest) {
    self.answer = answer
    self.size = size == 0 ? nil : size
    self.number = number
    self.digest = digest
  }

  var offset: UInt64 { UInt64(bytes.count) }
  var isComplete: Bool { offset == size }

  /// Takes the next piece; false when it does not fit, and the pull has to begin anew.
  ///
  /// Memory is used for bytes that came, never for a size that was only announced.
  mutating func take(_ chunk: Chunk) -> Bool {
    guard chunk.answer == answer, chunk.offset == offset, size.map({ chunk.size == $0 }) ?? true,
      !chunk.bytes.isEmpty, chunk.size >= offset,
      UInt64(chunk.bytes.count) <= chunk.size - offset
    else { return false }
    size = chunk.size
    bytes += chunk.bytes
    return true
  }
}
