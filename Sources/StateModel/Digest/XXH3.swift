internal import CXXHash

/// The XXH3 family of hashes, from libxxhash (https://xxhash.com), seed 0.
///
/// A digest hashes many items of a few bytes: the forms below put such an item together on the
/// stack, where an array would cost more than its hash.
public enum XXH3 {
  /// XXH3-64 of `bytes`.
  public static func hash64(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.withContiguousStorageIfAvailable { statecast_xxh3_64($0.baseAddress, $0.count) }
      ?? Array(bytes).withUnsafeBufferPointer { statecast_xxh3_64($0.baseAddress, $0.count) }
  }

  /// XXH3-128 of `bytes`: the high and the low half.
  public static func hash128(_ bytes: some Collection<UInt8>) -> (high: UInt64, low: UInt64) {
    let hash =
      bytes.withContiguousStorageIfAvailable { statecast_xxh3_128($0.baseAddress, $0.count) }
      ?? Array(bytes).withUnsafeBufferPointer { statecast_xxh3_128($0.baseAddress, $0.count) }
    return (hash.high64, hash.low64)
  }

  /// XXH3-64 of the first `count` bytes of three little-endian words.
  @inline(__always)
  static func hash64(words: (UInt64, UInt64, UInt64), count: Int) -> UInt64 {
    let stored = (words.0.littleEndian, words.1.littleEndian, words.2.littleEndian)
    return withUnsafeBytes(of: stored) { statecast_xxh3_64($0.baseAddress, count) }
  }

  /// XXH3-64 of an item's head and its content.
  static func hash64(head: PackedHead, content: some Collection<UInt8>) -> UInt64 {
    content.withContiguousStorageIfAvailable { hash64(head: head, buffer: $0) }
      ?? Array(content).withUnsafeBufferPointer { hash64(head: head, buffer: $0) }
  }

  /// XXH3-64 of `bytes` and a little-endian word.
  static func hash64(_ bytes: some Collection<UInt8>, word: UInt64) -> UInt64 {
    bytes.withContiguousStorageIfAvailable { hash64(buffer: $0, word: word) }
      ?? Array(bytes).withUnsafeBufferPointer { hash64(buffer: $0, word: word) }
  }

  /// The same of one to eight bytes, given as a little-endian word: nothing is copied.
  @inline(__always)
  static func hash64(bytes: UInt64, count: Int, word: UInt64) -> UInt64 {
    let shift = UInt64(8 * count)
    // Shifts by 64 give zero.
    return hash64(words: (bytes | word << shift, word >> (64 - shift), 0), count: count + 8)
  }

  /// XXH3-64 of an item's head, its content and a little-endian word.
  static func hash64(
    head: PackedHead, content: some Collection<UInt8>, word: UInt64
  ) -> UInt64 {
    content.withContiguousStorageIfAvailable { hash64(head: head, buffer: $0, word: word) }
      ?? Array(content).withUnsafeBufferPointer { hash64(head: head, buffer: $0, word: word) }
  }

  private static func hash64(head: PackedHead, buffer: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let total = head.count + buffer.count
    return withUnsafeTemporaryAllocation(byteCount: total, alignment: 8) { scratch in
      store(head, buffer, in: scratch)
      return statecast_xxh3_64(scratch.baseAddress, total)
    }
  }

  private static func hash64(
    head: PackedHead, buffer: UnsafeBufferPointer<UInt8>, word: UInt64
  ) -> UInt64 {
    let total = head.count + buffer.count + 8
    return withUnsafeTemporaryAllocation(byteCount: total, alignment: 8) { scratch in
      store(head, buffer, in: scratch)
      scratch.storeBytes(of: word.littleEndian, toByteOffset: total - 8, as: UInt64.self)
      return statecast_xxh3_64(scratch.baseAddress, total)
    }
  }

  private static func hash64(buffer: UnsafeBufferPointer<UInt8>, word: UInt64) -> UInt64 {
    let total = buffer.count + 8
    return withUnsafeTemporaryAllocation(byteCount: total, alignment: 8) { scratch in
      scratch.copyMemory(from: UnsafeRawBufferPointer(buffer))
      scratch.storeBytes(of: word.littleEndian, toByteOffset: buffer.count, as: UInt64.self)
      return statecast_xxh3_64(scratch.baseAddress, total)
    }
  }

  private static func store(
    _ head: PackedHead, _ content: UnsafeBufferPointer<UInt8>,
    in scratch: UnsafeMutableRawBufferPointer
  ) {
    withUnsafeBytes(of: (head.words.0.littleEndian, head.words.1.littleEndian)) { bytes in
      scratch.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<head.count]))
    }
    UnsafeMutableRawBufferPointer(rebasing: scratch[head.count...]).copyMemory(
      from: UnsafeRawBufferPointer(content))
  }
}
