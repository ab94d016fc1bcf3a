/// Makes a `Binding` storable in an equatable state.
///
/// Two are equal when the values were equal that the bindings led to when they were stored. Asking
/// the source at each comparison would make a value equal to its own past: two copies over one
/// source could never differ, and equality would do whatever reading the source does.
@propertyWrapper
public struct EquatableBinding<Wrapped: Equatable>: Equatable {
  /// The binding. Storing one takes a new snapshot.
  public var wrappedValue: Binding<Wrapped> { didSet { snapshot = wrappedValue.wrappedValue } }

  /// The value as it was when the binding was stored.
  public private(set) var snapshot: Wrapped

  /// A binding, with a snapshot of its value.
  public init(wrappedValue: Binding<Wrapped>) {
    self.wrappedValue = wrappedValue
    snapshot = wrappedValue.wrappedValue
  }

  /// The wrapper, for its snapshot, and to take a new one: `state.$configFile.refresh()`.
  public var projectedValue: EquatableBinding {
    get { self }
    set { self = newValue }
  }

  /// Takes a new snapshot.
  public mutating func refresh() { snapshot = wrappedValue.wrappedValue }

  /// Whether both snapshots are equal.
  public static func == (left: EquatableBinding, right: EquatableBinding) -> Bool {
    left.snapshot == right.snapshot
  }
}
