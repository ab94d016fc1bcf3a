import StateModel

/// Stands in until `Value` itself is mirrored; goes away with that.
extension Value {
  /// The value's encoding.
  package func encoded() -> [UInt8] {
    var encoder = CBOREncoder()
    write(to: &encoder)
    return encoder.bytes
  }
  private func write(to encoder: inout CBOREncoder) {
    switch self {
    case .null: encoder.null()
    case .bool(let flag): encoder.bool(flag)
    case .unsigned(let n): encoder.unsigned(n)
    case .negative(let n): encoder.negative(n)
    case .float(let n): encoder.float(n)
    case .text(let t): encoder.text(t)
    case .bytes(let b): encoder.byteString(b)
    case .array(let items):
      encoder.array(items.count)
      for i in items { i.write(to: &encoder) }
    case .map(let entries):
      encoder.map(entries.count)
      for e in entries {
        e.key.write(to: &encoder)
        e.value.write(to: &encoder)
      }
    case .tag(let n, let i):
      encoder.tag(n)
      i.write(to: &encoder)
    }
  }
}
