/// What observers of one isolation have seen.
final class Collected<Value> {
  var values: [Value] = []
  func add(_ value: Value) { values.append(value) }
}
