public import FoundationEssentials
internal import Synchronization

/// Makes ids: within a commit from its seed.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// A generator that calls `generate`.
  public init(_ generate: @escaping @Sendable () -> UUID) { self.generate = generate }

  /// A generator of one id.
  public static func constant(_ uuid: UUID) -> UUIDGenerator { UUIDGenerator { uuid } }

  /// A generator of 00000000-0000-0000-0000-000000000000, …-000000000001 and so on; for tests.
  public static var incrementing: UUIDGenerator {
    let ids = IncrementingIDs()
    return UUIDGenerator { UUID(high: 0, low: ids.next()) }
  }

  /// A new id.
  public func callAsFunction() -> UUID { generate() }
}

private final class IncrementingIDs: Sendable {
  private let count = Mutex<UInt64>(0)

  func next() -> UInt64 {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

extension UUID {
  /// The id that `UUIDGenerator.incrementing` makes of a number, for what a test expects: `UUID(2)`
  /// is 00000000-0000-0000-0000-000000000002.
  public init(_ number: Int) { self.init(high: 0, low: UInt64(truncatingIfNeeded: number)) }

  /// An id from its bits.
  package init(high: UInt64, low: UInt64) {
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }

  /// A random id of version 4 (RFC 9562, 5.4) from two random numbers.
  package init(randomHigh high: UInt64, low: UInt64) {
    self.init(
      high: high & ~0xF000 | 0x4000,
      low: low & ~0xC000_0000_0000_0000 | 0x8000_0000_0000_0000)
  }
}

extension DependencyValues {
  /// Makes ids. In a reducer they come from the commit's seed, so that replaying gives the same.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }

  private enum UUIDKey: DependencyKey {
    static let liveValue = UUIDGenerator {
      guard let scratch = DependencyValues.current.scratch else { return UUID() }
      return UUID(randomHigh: scratch.nextRandom(), low: scratch.nextRandom())
    }

    static let testValue = UUIDGenerator {
      UnstubbedDependency.reportUse(of: "uuid")
      return liveValue()
    }
  }
}
