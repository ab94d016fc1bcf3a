public import StateModel

extension Value {
  /// Equality as RFC 6902's `test` has it (section 4.6): numbers by their numeric value, so 1 and
  /// 1.0 are equal, texts by their code points, objects by their members.
  ///
  /// Exact for integers of 64 bits: 2^53+1 is not equal to the float 2^53.
  public func isEqualJSON(to other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let one), .bool(let two)): return one == two
    case (.text(let one), .text(let two)): return one == two
    case (.bytes(let one), .bytes(let two)): return one == two
    case (.tag(let one, let item), .tag(let two, let other)):
      return one == two && item.isEqualJSON(to: other)
    case (.array(let one), .array(let two)):
      return one.count == two.count && zip(one, two).allSatisfy { $0.isEqualJSON(to: $1) }
    case (.map(let one), .map(let two)):
      return one.count == two.count
        && zip(one, two).allSatisfy { left, right in
          left.key == right.key && left.value.isEqualJSON(to: right.value)
        }
    default:
      guard let one = number, let two = other.number else { return false }
      return one == two
    }
  }

  /// A number as an exact integer where it is one.
  private enum Number: Equatable {
    case integer(Int128)
    case float(Double)
  }

  private var number: Number? {
    switch self {
    case .unsigned(let number): .integer(Int128(number))
    case .negative(let complement): .integer(-1 - Int128(complement))
    case .float(let number): Int128(exactly: number).map(Number.integer) ?? .float(number)
    default: nil
    }
  }
}
