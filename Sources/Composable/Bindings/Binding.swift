/// A value that can be read and set where it lives.
///
/// Not `Equatable`: what it leads to may change at any time. `EquatableBinding` is for states that
/// must be compared.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  /// Calls whenever the value may have changed, until the observation ends.
  typealias Changes = (@escaping () -> Void) -> Observation

  private let read: () -> Value
  private let write: (Value) -> Void
  private let changes: Changes?

  /// A binding that reads with `get` and sets with `set`.
  ///
  /// It cannot tell when the value changes: `observe` gives the present one only. Bindings of a
  /// `ViewStore` can.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.init(get: get, set: set, changes: nil)
  }

  init(get: @escaping () -> Value, set: @escaping (Value) -> Void, changes: Changes?) {
    read = get
    write = set
    self.changes = changes
  }

  /// The same binding.
  public init(projectedValue: Binding) { self = projectedValue }

  /// A binding to a value that cannot be set.
  public static func constant(_ value: Value) -> Binding {
    Binding(get: { value }, set: { _ in })
  }

  /// The value as it is now.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The binding itself.
  public var projectedValue: Binding { self }

  /// A binding to a part: setting it sets the whole with that part changed.
  public subscript<Part>(dynamicMember keyPath: WritableKeyPath<Value, Part>) -> Binding<Part> {
    Binding<Part>(
      get: { read()[keyPath: keyPath] },
      set: { part in
        var whole = read()
        whole[keyPath: keyPath] = part
        write(whole)
      }, changes: changes)
  }

  /// A binding to the value in another form.
  public func map<Other>(
    get: @escaping (Value) -> Other, set: @escaping (Other) -> Value
  ) -> Binding<Other> {
    Binding<Other>(get: { get(read()) }, set: { write(set($0)) }, changes: changes)
  }

  /// A binding to the value that an optional holds, nil when it holds none; once it is gone, the
  /// last that was known.
  public func unwrapped<Wrapped>() -> Binding<Wrapped>? where Value == Wrapped? {
    guard let present = read() else { return nil }
    return Binding<Wrapped>(get: { read() ?? present }, set: { write($0) }, changes: changes)
  }
}

extension Binding where Value: Equatable {
  /// Calls `callback` with the present value at once, then with every one that differs: what the
  /// binding shows, so also what was set and is not answered yet, and what became of it.
  public func observe(_ callback: @escaping (Value) -> Void) -> Observation {
    var last = read()
    let read = read
    let observation = changes? {
      let value = read()
      guard value != last else { return }
      last = value
      callback(value)
    }
    callback(last)
    return observation ?? Observation {}
  }
}
