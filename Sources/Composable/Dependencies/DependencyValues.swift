/// In which circumstances code runs: which value a dependency has that nobody has set.
public enum DependencyContext: Sendable {
  /// For real.
  case live
  /// In a preview or a demonstration.
  case preview
  /// Under a test: a dependency that the test has not set is reported when it is used.
  case test
}

/// Everything that reducers and effects may take from outside.
///
/// Nobody passes it on: it is task-local, an effect captures it when it is made, and where nothing
/// has been set it holds no dictionary and costs nothing.
public struct DependencyValues: Sendable {
  @TaskLocal package static var current = DependencyValues()

  private var overrides: [ObjectIdentifier: any Sendable] = [:]
  private var chosenContext: DependencyContext?
  /// The commit under way; nil outside of a reducer.
  package var scratch: CommitScratch?
  /// What an effect knows of the commit that made it.
  private var cause: (origin: UInt64?, commit: UInt64)?

  /// The live values.
  public init() {}

  /// The value of a dependency, set by somebody or the key's own for the context.
  ///
  /// - Parameter name: the property of `DependencyValues` that calls this, for messages.
  public subscript<Key: DependencyKey>(
    key: Key.Type, name: String = #function
  ) -> Key.Value {
    get {
      if !overrides.isEmpty, let value = overrides[ObjectIdentifier(key)] as? Key.Value {
        return value
      }
      switch context {
      case .live: return Key.liveValue
      case .preview: return Key.previewValue
      case .test: return UnstubbedDependency.$name.withValue(name) { Key.testValue }
      }
    }
    set { overrides[ObjectIdentifier(key)] = newValue }
  }

  /// In which circumstances code runs; live unless somebody has said otherwise.
  public var context: DependencyContext {
    get { chosenContext ?? .live }
    set { chosenContext = newValue }
  }

  /// Who sent the action under way, by the public number that a daemon gave; nil for the store or
  /// the daemon itself. In an effect: who sent the action that made it.
  public var origin: UInt64? { scratch.map(\.origin) ?? cause?.origin }

  /// The number of the commit under way; in an effect, of the one that made it.
  public var commit: UInt64 { scratch?.commit ?? cause?.commit ?? 0 }

  /// Whether nothing has been set.
  var isPlain: Bool { overrides.isEmpty && chosenContext == nil }

  /// Whether nothing has been set, and no commit is known.
  var isUntouched: Bool { isPlain && cause == nil }

  /// These values, and under them what `older` sets besides.
  package func over(_ older: DependencyValues) -> DependencyValues {
    if older.isPlain { return self }
    var result = self
    result.chosenContext = chosenContext ?? older.chosenContext
    // Most often nothing is set above: no dictionary is made then, for this is done for each action.
    result.overrides =
      overrides.isEmpty ? older.overrides : older.overrides.merging(overrides) { $1 }
    return result
  }

  /// These values as an effect takes them along: without the commit, whose date and random numbers
  /// end with it.
  package var forEffect: DependencyValues {
    var copy = self
    if let scratch {
      copy.cause = (scratch.origin, scratch.commit)
      copy.scratch = nil
    }
    return copy
  }
}

/// Runs `operation` with changed dependencies.
public func withDependencies<Result>(
  _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try update(&values)
  return try DependencyValues.$current.withValue(values, operation: operation)
}

/// Runs `operation` with changed dependencies.
public func withDependencies<Result>(
  _ update: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try update(&values)
  return try await DependencyValues.$current.withValue(values, operation: operation)
}
