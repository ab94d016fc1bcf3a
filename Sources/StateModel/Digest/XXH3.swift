internal import CXXHash

/// The XXH3 family of hashes, from libxxhash (https://xxhash.com), seed 0.
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
}
