/// Sixteen random bytes, kept as two words so that comparing and hashing them costs no allocation.
package struct Bytes16: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// From exactly sixteen bytes, big-endian.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Sixteen new ones.
  package static func random(using generator: inout some RandomNumberGenerator) -> Bytes16 {
    Bytes16(high: generator.next(), low: generator.next())
  }

  /// The bytes as they travel, big-endian.
  package var bytes: [UInt8] { [high, low].flatMap { word in word.bigEndianBytes } }
}

extension UInt64 {
  /// The eight bytes, most significant first.
  package var bigEndianBytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) }
  }
}

/// A store's history: made once when the journal is created, and anew whenever history cannot be
/// continued (each start in memory mode).
package struct Lineage: Hashable, Sendable {
  package var bytes: Bytes16
  package init(_ bytes: Bytes16) { self.bytes = bytes }
}

/// Who acts, secret, made by the client. Never published: the daemon gives it a public number.
package struct SessionID: Hashable, Sendable {
  package var bytes: Bytes16
  package init(_ bytes: Bytes16) { self.bytes = bytes }
}

/// A client's doorbell: fresh for every probe.
package struct Nonce: Hashable, Sendable {
  package var bytes: Bytes16
  package init(_ bytes: Bytes16) { self.bytes = bytes }
}

/// One run of a daemon: eight random bytes made at its start.
package struct Epoch: Hashable, Sendable {
  package var rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The place of an accepted action in the one order. The first is 1; 0 is before all.
public struct CommitNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number as it travels.
  public var rawValue: UInt64

  /// A number from the wire.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The state before the first action.
  public static let zero = CommitNumber(rawValue: 0)

  /// The number after this one.
  public var next: CommitNumber { CommitNumber(rawValue: rawValue &+ 1) }

  /// Earlier in the order.
  public static func < (earlier: CommitNumber, later: CommitNumber) -> Bool {
    earlier.rawValue < later.rawValue
  }

  /// The digits.
  public var description: String { String(rawValue) }
}

/// An action's place among its session's, from 1 on; once sent it keeps its bytes for ever.
package typealias ActionNumber = UInt64

/// The small number that stands for a session in everything published (`origin`, presence).
package typealias PublicNumber = UInt64

/// Where a mirror stands: on which history, at which publication, holding which value.
public struct Position: Hashable, Sendable {
  package var lineage: Lineage
  package var epoch: Epoch
  /// The number of the view's last publication that the mirror holds.
  public var number: CommitNumber
  /// The digest of the mirror's value.
  package var digestValue: UInt64

  package init(lineage: Lineage, epoch: Epoch, number: CommitNumber, digestValue: UInt64) {
    self.lineage = lineage
    self.epoch = epoch
    self.number = number
    self.digestValue = digestValue
  }
}

/// A view's topic: letter, name, zero byte, parameters (protocol, section 4).
package struct Topic: Hashable, Sendable {
  package var bytes: [UInt8]
  package init(bytes: [UInt8]) { self.bytes = bytes }
}

extension Duration {
  /// Whole nanoseconds. Up to nine seconds, which is what machines wait for, without a division of
  /// 128 bits.
  package var nanoseconds: Int64 {
    let attoseconds = self.attoseconds
    let low = Int64(truncatingIfNeeded: attoseconds)
    if Int128(low) == attoseconds { return low / 1_000_000_000 }
    return Int64(truncatingIfNeeded: attoseconds / 1_000_000_000)
  }
}

/// Monotonic time since an origin that the shell chose; the machines never look at a clock.
package struct Moment: Hashable, Comparable, Sendable {
  /// Nanoseconds since the origin.
  package var nanoseconds: Int64
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  package static func < (earlier: Moment, later: Moment) -> Bool {
    earlier.nanoseconds < later.nanoseconds
  }
  package static func + (moment: Moment, duration: Duration) -> Moment {
    Moment(nanoseconds: moment.nanoseconds &+ duration.nanoseconds)
  }
  package static func - (later: Moment, earlier: Moment) -> Duration {
    .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
  }
}
