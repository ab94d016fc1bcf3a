/// What names an effect so that it can be cancelled: any hashable value, told apart by its type too.
///
/// `AnyHashable` would not do: it holds `1 as Int` and `1 as UInt8` for the same.
package struct EffectID: Hashable, Sendable, CustomStringConvertible {
  package let value: any Hashable & Sendable

  package init(_ value: some Hashable & Sendable) { self.value = value }

  package static func == (left: Self, right: Self) -> Bool { equal(left.value, right.value) }

  private static func equal<Value: Hashable & Sendable>(
    _ left: Value, _ right: any Hashable & Sendable
  ) -> Bool {
    guard type(of: right) == Value.self, let right = right as? Value else { return false }
    return left == right
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: value)))
    value.hash(into: &hasher)
  }

  package var description: String { "\(type(of: value)).\(value)" }
}
