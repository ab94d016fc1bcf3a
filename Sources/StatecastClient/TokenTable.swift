/// Values by tokens that rise and are mostly removed in the order in which they came.
///
/// A dictionary would hash each token three times for each action; this looks at an index.
struct TokenTable<Value> {
  private var values: [Value?] = []
  /// The token of the first of `values`.
  private var first: UInt64 = 0
  /// How many of the first ones have been removed.
  private var gone = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Adds a value under a token that is higher than all before.
  mutating func insert(_ value: Value, _ token: UInt64) {
    if isEmpty {
      values.removeAll(keepingCapacity: true)
      (first, gone) = (token, 0)
    }
    // Tokens between are those of something else.
    while first + UInt64(values.count) < token { values.append(nil) }
    values.append(value)
    count += 1
  }

  /// The value under a token, nil when there is none.
  subscript(token: UInt64) -> Value? { index(token).flatMap { values[$0] } }

  /// Takes the value under a token out.
  mutating func remove(_ token: UInt64) -> Value? {
    guard let index = index(token), let value = values[index].take() else { return nil }
    count -= 1
    if index == gone {
      while gone < values.count, values[gone] == nil { gone += 1 }
      // Half of it at least, so that each costs a constant.
      if gone * 2 > values.count {
        values.removeFirst(gone)
        first += UInt64(gone)
        gone = 0
      }
    }
    return value
  }

  private func index(_ token: UInt64) -> Int? {
    guard token >= first, token - first < UInt64(values.count) else { return nil }
    return Int(token - first)
  }
}
