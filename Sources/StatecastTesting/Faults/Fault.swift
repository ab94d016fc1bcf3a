import StateModel

/// What a bad link does to a message.
package enum Fault: Equatable, Sendable {
  case drop
  /// It arrives twice.
  case double
  /// It arrives so many milliseconds later; what comes after it overtakes it.
  case delay(milliseconds: Int)
  /// The end of its last frame is missing.
  case truncate
  /// A bit of its last frame is flipped.
  case corrupt
}

/// Which way a message goes.
package enum Direction: String, CaseIterable, Hashable, Sendable {
  case request, reply, publication
}

/// How often each fault happens, of a thousand messages.
///
/// Requests and replies are never corrupted, only truncated: transports have checksums, and a flipped
/// bit within an action makes another valid action. A publication is covered by its digest.
package struct FaultRates: Equatable, Sendable {
  package var drop = 0
  package var double = 0
  package var delay = 0
  package var truncate = 0
  package var corrupt = 0
  /// The longest delay in milliseconds.
  package var longestDelay = 50

  package init() {}

  /// Rates that differ from "none" as `change` says.
  package static func with(_ change: (inout FaultRates) -> Void) -> FaultRates {
    var rates = FaultRates()
    change(&rates)
    return rates
  }
}

/// The faults of a run: the same seed gives the same faults for the same messages.
package struct FaultDice: Sendable {
  private var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// What happens to the next message; nil is nothing.
  package mutating func fault(_ rates: FaultRates) -> Fault? {
    var left = next(below: 1000)
    func isHit(_ rate: Int) -> Bool {
      left -= rate
      return left < 0
    }
    if isHit(rates.drop) { return .drop }
    if isHit(rates.double) { return .double }
    if isHit(rates.delay) {
      return .delay(milliseconds: 1 + next(below: max(1, rates.longestDelay)))
    }
    if isHit(rates.truncate) { return .truncate }
    if isHit(rates.corrupt) { return .corrupt }
    return nil
  }

  /// The frames as `fault` leaves them; those it does not change are as they were.
  package mutating func spoil(_ frames: [[UInt8]], _ fault: Fault) -> [[UInt8]] {
    guard var last = frames.last, !last.isEmpty else { return frames }
    switch fault {
    case .truncate: last.removeLast(1 + next(below: last.count))
    case .corrupt: last[next(below: last.count)] ^= 1 << UInt8(next(below: 8))
    default: return frames
    }
    return frames.dropLast() + [last]
  }

  private mutating func next(below bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &generator)
  }
}
