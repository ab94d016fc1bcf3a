internal import Synchronization

/// What could not be read of a value that another version of the program wrote, and was left out: an
/// element of a collection, what an optional held (nil then), or a field that has a default.
///
/// A mirror is lenient so, because one row that a program does not know must not cost it the view. A
/// journal and an action are not: nothing may be lost there.
public struct Omissions: Equatable, Sendable {
  /// One part that was left out.
  public struct Part: Equatable, Sendable, CustomStringConvertible {
    /// Where it stands: the names and indices from the root.
    public var path: [String]
    /// Why it cannot be read.
    public var reason: String

    /// `rows.7.state: there is no case 'paused'`.
    public var description: String { path.joined(separator: ".") + ": " + reason }
  }

  /// The first of them, in the order of the wire.
  public internal(set) var parts: [Part] = []
  /// How many there are.
  public internal(set) var count = 0

  /// None.
  public init() {}

  /// Whether everything was read.
  public var isEmpty: Bool { count == 0 }

  /// Of more parts than these only the number is kept.
  public static let partsKept = 100
}

/// Collects what a lenient reading leaves out. Where a part stands is told by its position: the
/// readers need not know their paths.
@usableFromInline final class OmissionCollector: Sendable {
  private let found = Mutex<(failures: [(position: Int, failure: DecodingFailure)], count: Int)>(
    ([], 0))

  func add(_ failure: DecodingFailure, at position: Int) {
    found.withLock { found in
      found.count += 1
      if found.failures.count < Omissions.partsKept { found.failures.append((position, failure)) }
    }
  }

  /// What was left out of the item that `bytes` hold.
  func omissions(of bytes: ArraySlice<UInt8>) -> Omissions {
    let (failures, count) = found.withLock { $0 }
    var omissions = Omissions()
    omissions.count = count
    omissions.parts = failures.map { position, failure in
      var decoder = CBORDecoder(bytes)
      return Omissions.Part(
        path: decoder.path(to: position) + failure.path, reason: failure.message)
    }
    return omissions
  }
}

extension CBORDecoder {
  /// Whether the failure of the part that begins at `start` is passed over: the reading is lenient,
  /// and what stands there is well-formed. The decoder is behind the part then.
  @usableFromInline mutating func omits(
    _ failure: DecodingFailure, from start: Int, at depth: Int
  ) -> Bool {
    guard let omitted else { return false }
    var behind = self
    behind.position = start
    behind.depth = depth
    do throws(DecodingFailure) { try behind.skip() } catch { return false }
    self = behind
    omitted.add(failure, at: start)
    return true
  }

  /// The names and indices that lead from the item here to the one that begins at `target`.
  fileprivate mutating func path(to target: Int) -> [String] {
    var path: [String] = []
    while position < target {
      guard let head = try? head(), let step = step(head, to: target) else { break }
      if let name = step { path.append(name) }
    }
    return path
  }

  /// Goes into the part of a container that `target` is in; gives its name or index, none for a tag's
  /// content, and nil where there is no such part.
  private mutating func step(_ head: Head, to target: Int) -> String?? {
    switch head.major {
    case 4:
      for index in 0..<head.argument {
        let start = position
        guard (try? skip()) != nil else { return nil }
        if target < position {
          position = start
          return "\(index)"
        }
      }
      return nil
    case 5:
      for _ in 0..<head.argument {
        guard let key = try? item() else { return nil }
        let start = position
        guard (try? skip()) != nil else { return nil }
        if target < position {
          position = start
          return DeltaFailure.name(of: key)
        }
      }
      return nil
    case 6: return .some(nil)
    default: return nil
    }
  }
}

extension Mirrored {
  /// Reads what can be read of an encoded value, and says what was left out.
  package init(
    encoded bytes: ArraySlice<UInt8>, omitting omissions: inout Omissions
  ) throws(DecodingFailure) {
    let collector = OmissionCollector()
    var decoder = CBORDecoder(bytes)
    decoder.omitted = collector
    self = try Self(from: &decoder)
    try decoder.finish()
    omissions = collector.omissions(of: bytes)
  }
}
