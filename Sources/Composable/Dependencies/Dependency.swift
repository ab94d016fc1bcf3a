/// Takes a dependency from outside: `@Dependency(\.date) var date`.
///
/// Where it is used the values of that moment count, and under them those of the moment at which
/// the wrapper was made.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let keyPath: any KeyPath<DependencyValues, Value> & Sendable
  private let made: DependencyValues

  /// A dependency by its property of `DependencyValues`.
  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    self.keyPath = keyPath
    made = DependencyValues.current
  }

  /// The value as it is here and now.
  public var wrappedValue: Value { DependencyValues.current.over(made)[keyPath: keyPath] }
}
