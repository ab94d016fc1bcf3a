/// The order of map keys: bytewise by their encodings, each once (RFC 8949, 4.2.1).
public enum MapKeyOrder {
  /// Throws unless the encoded key `later` sorts after `earlier`.
  public static func check(
    _ earlier: ArraySlice<UInt8>, _ later: ArraySlice<UInt8>
  ) throws(DecodingFailure) {
    if earlier.lexicographicallyPrecedes(later) { return }
    throw earlier.elementsEqual(later)
      ? DecodingFailure(.notDeterministic, "a map key stands twice")
      : DecodingFailure(.notDeterministic, "map keys are not in order")
  }
}
