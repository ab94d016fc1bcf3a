internal import StateModel

extension Topic {
  /// What a topic is for, by its first byte.
  package enum Kind: Equatable, Sendable {
    /// `D`: the deltas of a view.
    case view
    /// `H`: the daemon's beat.
    case daemonBeat
    /// `~` and 16 bytes: a client's doorbell.
    case doorbell(Nonce)
    /// Nothing that this version publishes.
    case other
  }

  /// The daemon's beat.
  package static let daemonBeat = Topic(bytes: [UInt8(ascii: "H")])

  /// The longest topic of a view, in bytes, before its parameters are hashed.
  package static let longestPlain = 200

  /// The topic of a view; nil where `name` is no view's name.
  ///
  /// - Parameter parameters: one encoded item; `f6` for none.
  package init?(view name: String, parameters: [UInt8] = [0xF6]) {
    guard Self.isViewName(name) else { return nil }
    var bytes = [UInt8(ascii: "D")]
    bytes.reserveCapacity(2 + name.utf8.count + parameters.count)
    bytes += name.utf8
    bytes.append(0)
    if bytes.count + parameters.count <= Self.longestPlain {
      bytes += parameters
    } else {
      // 0xFF is never the first byte of an item, so a hash is never taken for parameters.
      bytes.append(0xFF)
      let hash = XXH3.hash128(parameters)
      bytes += WordBytes(word: hash.high)
      bytes += WordBytes(word: hash.low)
    }
    self.init(bytes: bytes)
  }

  /// The doorbell of a client. Its letter sorts after all others: libzmq sends subscriptions again
  /// in byte order, so when the doorbell is seen every other subscription is live.
  package init(doorbell: Nonce) {
    self.init(bytes: [UInt8(ascii: "~")] + doorbell.bytes.bytes)
  }

  /// What the topic is for.
  package var kind: Kind {
    switch bytes.first {
    case UInt8(ascii: "D"): return .view
    case UInt8(ascii: "H") where bytes.count == 1: return .daemonBeat
    case UInt8(ascii: "~"):
      guard let nonce = Bytes16(bytes.dropFirst()) else { return .other }
      return .doorbell(Nonce(nonce))
    default: return .other
    }
  }

  /// The view's name; nil for other topics.
  package var viewName: String? {
    guard kind == .view, let end = bytes.firstIndex(of: 0) else { return nil }
    return String(validating: bytes[1..<end], as: UTF8.self)
  }

  /// Whether `name` can be a view's: 1 to 64 of `[A-Za-z0-9._-]`.
  package static func isViewName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
