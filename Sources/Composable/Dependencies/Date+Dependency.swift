public import FoundationEssentials

/// Tells the date: within a commit always the same one.
public struct DateGenerator: Sendable {
  private let generate: @Sendable () -> Date

  /// A generator that calls `generate`.
  public init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

  /// A generator of one date.
  public static func constant(_ date: Date) -> DateGenerator { DateGenerator { date } }

  /// The date.
  public var now: Date { generate() }

  /// The date.
  public func callAsFunction() -> Date { generate() }
}

extension DependencyValues {
  /// Tells the date. In a reducer it is constant within a commit, and journalled with it.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }

  private enum DateKey: DependencyKey {
    static let liveValue = DateGenerator {
      guard let scratch = DependencyValues.current.scratch else { return Date() }
      return Date(
        timeIntervalSinceReferenceDate: scratch.date { Date().timeIntervalSinceReferenceDate })
    }

    static let testValue = DateGenerator {
      UnstubbedDependency.reportUse(of: "date")
      return liveValue.now
    }
  }
}
