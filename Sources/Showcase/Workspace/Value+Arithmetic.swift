import JSONText
import StateModel

/// What actions of the workspace do to a single value.
extension Value {
  /// The sum with another number: exact between integers, else the nearest double.
  func adding(_ amount: Value, at path: JSONPointer) throws(JSONEditFailure) -> Value {
    guard let addend = amount.addend else {
      throw JSONEditFailure(.invalid, "the amount to add is no number", at: path)
    }
    guard let old = self.addend else {
      throw JSONEditFailure(
        .notFound, "what is at \(path) is no number: set one first", at: path)
    }
    if case .integer(let one) = old, case .integer(let other) = addend {
      let sum = one + other
      if let sum = UInt64(exactly: sum) { return .unsigned(sum) }
      if let sum = Int64(exactly: sum) { return .negative(UInt64(bitPattern: ~sum)) }
      throw JSONEditFailure(
        .notFound, "\(sum) would be beyond the integers, -2^63 to 2^64-1", at: path)
    }
    let sum = old.double + addend.double
    guard sum.isFinite else {
      throw JSONEditFailure(.notFound, "the sum would be beyond the numbers, 1.8e308", at: path)
    }
    return .float(sum)
  }

  private enum Addend {
    case integer(Int128)
    case float(Double)

    var double: Double {
      switch self {
      case .integer(let value): Double(value)
      case .float(let value): value
      }
    }
  }

  private var addend: Addend? {
    switch self {
    case .unsigned(let value): .integer(Int128(value))
    case .negative(let complement): .integer(-1 - Int128(complement))
    case .float(let value): .float(value)
    default: nil
    }
  }

  /// Puts an item behind an array's last, or a text behind a text.
  mutating func append(_ item: Value, at path: JSONPointer) throws(JSONEditFailure) {
    switch (self, item) {
    case (.array(var elements), _):
      // Emptied meanwhile, here and below, so that storage has one owner and is changed in place.
      self = .null
      elements.append(item)
      self = .array(elements)
    case (.text(var text), .text(let added)):
      self = .null
      text.append(added.string)
      self = .text(text)
    default:
      throw JSONEditFailure(
        .notFound,
        "what is at \(path) is no array (nor, for a text, a text): nothing can follow it",
        at: path)
    }
  }

  /// Replaces bytes of a text.
  mutating func splice(
    offset: Int, removed: Int, inserted: String, at path: JSONPointer
  ) throws(JSONEditFailure) {
    guard case .text(var text) = self else {
      throw JSONEditFailure(.notFound, "what is at \(path) is no text: set one first", at: path)
    }
    // In this order nothing overflows, whatever was sent.
    guard offset >= 0, removed >= 0, offset <= text.utf8Count, removed <= text.utf8Count - offset
    else {
      throw JSONEditFailure(
        .notFound,
        "\(removed) bytes from \(offset) on are not within the text at \(path), "
          + "which has \(text.utf8Count)", at: path)
    }
    self = .null
    defer { self = .text(text) }
    do { try text.splice(offset: offset, removed: removed, inserted: inserted) } catch {
      throw JSONEditFailure(.notFound, error.message, at: path)
    }
  }
}
