internal import StateModel

/// Plain values in replies: what `views`, `schema`, `sessions`, `stats` and `log` are answered with.
enum WireValue {
  /// Writes one item. The entries of maps are in order already.
  static func write(_ value: Value, to encoder: inout CBOREncoder) {
    switch value {
    case .null: encoder.null()
    case .bool(let bool): encoder.bool(bool)
    case .unsigned(let number): encoder.unsigned(number)
    case .negative(let complement): encoder.negative(complement)
    case .float(let float): encoder.float(float)
    case .text(let text): encoder.text(text)
    case .bytes(let bytes): encoder.byteString(bytes)
    case .array(let items):
      encoder.array(items.count)
      for item in items { write(item, to: &encoder) }
    case .map(let entries):
      encoder.map(entries.count)
      for entry in entries {
        write(entry.key, to: &encoder)
        write(entry.value, to: &encoder)
      }
    case .tag(let number, let item):
      encoder.tag(number)
      write(item, to: &encoder)
    }
  }

  /// Reads one item. Its form, its keys' order and its depth are checked before anything is built,
  /// so the recursion is bounded.
  static func read(_ decoder: inout CBORDecoder) throws(DecodingFailure) -> Value {
    var checked = CBORDecoder(try decoder.item())
    return try build(&checked)
  }

  private static func build(_ decoder: inout CBORDecoder) throws(DecodingFailure) -> Value {
    let head = try decoder.peek()
    switch head.major {
    case 0: return .unsigned(try decoder.unsigned())
    case 1:
      _ = try decoder.head()
      return .negative(head.argument)
    case 2: return .bytes(Array(try decoder.byteString()))
    case 3: return .text(try decoder.text())
    case 4:
      return .array(
        try decoder.list { (decoder) throws(DecodingFailure) in try build(&decoder) })
    case 5:
      var entries: [Value.Entry] = []
      for _ in 0..<(try decoder.map()) {
        let key = try build(&decoder)
        entries.append(Value.Entry(key: key, value: try build(&decoder)))
      }
      return .map(entries)
    case 6:
      let number = try decoder.tag()
      return .tag(number, try build(&decoder))
    default:
      switch head.info {
      case 20, 21: return .bool(try decoder.bool())
      case 22:
        try decoder.null()
        return .null
      default: return .float(try decoder.float())
      }
    }
  }
}
