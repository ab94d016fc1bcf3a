internal import Synchronization

/// Lends a source of random numbers: `withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }`.
public struct WithRandomNumberGenerator: Sendable {
  private let next: @Sendable () -> UInt64

  /// Lends `generator`.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    let shared = SharedGenerator(generator)
    next = { shared.next() }
  }

  init(next: @escaping @Sendable () -> UInt64) { self.next = next }

  /// Runs `work` with the source.
  public func callAsFunction<Result>(
    _ work: (inout any RandomNumberGenerator) -> Result
  ) -> Result {
    var lent: any RandomNumberGenerator = LentGenerator(draw: next)
    return work(&lent)
  }
}

private struct LentGenerator: RandomNumberGenerator {
  let draw: @Sendable () -> UInt64
  func next() -> UInt64 { draw() }
}

private final class SharedGenerator<Generator: RandomNumberGenerator & Sendable>: Sendable {
  private let generator: Mutex<Generator>
  init(_ generator: Generator) { self.generator = Mutex(generator) }
  func next() -> UInt64 { generator.withLock { $0.next() } }
}

extension DependencyValues {
  /// Lends random numbers. In a reducer they come from the commit's seed, so that replaying gives
  /// the same.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[RandomKey.self] }
    set { self[RandomKey.self] = newValue }
  }

  private enum RandomKey: DependencyKey {
    static let liveValue = WithRandomNumberGenerator {
      DependencyValues.current.scratch?.nextRandom() ?? .random(in: .min ... .max)
    }

    static let testValue = WithRandomNumberGenerator {
      UnstubbedDependency.reportUse(of: "withRandomNumberGenerator")
      return DependencyValues.current.scratch?.nextRandom() ?? .random(in: .min ... .max)
    }
  }
}
