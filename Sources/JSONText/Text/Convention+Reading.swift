import StateModel

/// The way back from the extended form's objects to the values that they mean.
extension Convention {
  /// The value that `content` means under this word; nil when it is not of the form.
  func value(of content: Value) -> Value? {
    switch (self, content) {
    case (.bytes, .text(let hex)): Self.bytes(hex.string).map(Value.bytes)
    case (.tag, .array(let parts)): Self.tagged(parts)
    case (.map, .array(let pairs)): Self.map(pairs)
    case (.float, .text(let word)): Self.float(word.string).map(Value.float)
    case (.integer, .text(let digits)): Self.integer(digits.string)
    default: nil
    }
  }

  private static func bytes(_ hex: String) -> [UInt8]? {
    let digits = hex.utf8.compactMap(nibble)
    guard digits.count == hex.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func tagged(_ parts: ValueArray) -> Value? {
    guard parts.count == 2, case .unsigned(let number) = parts[0] else { return nil }
    return .tag(number, parts[1])
  }

  private static func map(_ pairs: ValueArray) -> Value? {
    var entries = ValueMap()
    for pair in pairs {
      guard let parts = pair.elements, parts.count == 2 else { return nil }
      entries.set(parts[1], for: parts[0])
    }
    return entries.count == pairs.count ? .map(entries) : nil
  }

  private static func float(_ word: String) -> Double? {
    switch word {
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "nan": return .nan
    default:
      guard word.hasPrefix("nan:"), let bits = UInt64(word.dropFirst(4), radix: 16) else {
        return nil
      }
      let value = Double(bitPattern: bits)
      return value.isNaN ? value : nil
    }
  }

  /// Only integers that JSON's reader would round are written with a word.
  private static func integer(_ digits: String) -> Value? {
    guard let value = Int128(digits), value < Int128(Int64.min), value >= -Int128(1) << 64 else {
      return nil
    }
    return .negative(UInt64(-1 - value))
  }
}
