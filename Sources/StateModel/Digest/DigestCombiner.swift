/// The digest of an array from its elements' digests, first to last.
public struct ArrayDigest: Sendable {
  private var sum = SequenceSum()

  /// The digest of no elements.
  public init() {}

  /// Adds the next element.
  public mutating func append(_ element: Digest) { sum.append(element.rawValue) }

  /// The digest of the array so far.
  public var digest: Digest { Digest(arrayOf: sum) }
}

/// The digest of a map from its entries' digests, in any order. A struct is a map of its fields, an
/// enum's case with a payload a map of one entry.
public struct MapDigest: Sendable {
  private var count = 0
  private var sum: UInt64 = 0

  /// The digest of no entries.
  public init() {}

  /// Adds an entry by its encoded key and its value's digest.
  public mutating func insert(keyEncoding: some Collection<UInt8>, _ value: Digest) {
    count += 1
    sum &+= XXH3.hash64(keyEncoding, word: value.rawValue)
  }

  /// Adds an entry whose key is a text, such as a field's wire name.
  public mutating func insert(field: String, _ value: Digest) {
    let utf8 = field.utf8
    let head = PackedHead(major: 3, argument: UInt64(utf8.count))
    count += 1
    sum &+= XXH3.hash64(head: head, content: utf8, word: value.rawValue)
  }

  /// The digest of the map so far.
  public var digest: Digest { Digest(mapOf: count, sum: sum) }
}

extension Digest {
  /// The digest of a tagged item.
  public static func tagged(_ number: UInt64, _ item: Digest) -> Digest {
    var sum = SequenceSum()
    sum.append(Digest.ofUnsigned(number).rawValue)
    sum.append(item.rawValue)
    return Digest(kind: .tag, count: 2, sum: sum.sum)
  }

  /// The digest of a text: a leaf up to `longText` bytes, above that a sum over its bytes.
  public static func ofText(_ text: String) -> Digest { ofText(utf8: text.utf8) }

  /// The digest of a text from its UTF-8 bytes.
  public static func ofText(utf8: some Collection<UInt8>) -> Digest {
    let count = utf8.count
    if count > longText { return Digest(textOf: SequenceSum(text: utf8)) }
    let head = PackedHead(major: 3, argument: UInt64(count))
    return Digest(rawValue: XXH3.hash64(head: head, content: utf8))
  }

  /// The digest of a byte string of any length.
  public static func ofBytes(_ bytes: some Collection<UInt8>) -> Digest {
    let head = PackedHead(major: 2, argument: UInt64(bytes.count))
    return Digest(rawValue: XXH3.hash64(head: head, content: bytes))
  }

  /// The digest of a non-negative integer.
  public static func ofUnsigned(_ value: UInt64) -> Digest {
    Digest(PackedHead(major: 0, argument: value))
  }

  /// The digest of the negative integer -1 - `complement`.
  public static func ofNegative(_ complement: UInt64) -> Digest {
    Digest(PackedHead(major: 1, argument: complement))
  }

  /// The digest of a signed integer.
  public static func ofInteger(_ value: Int64) -> Digest {
    value >= 0 ? ofUnsigned(UInt64(value)) : ofNegative(UInt64(bitPattern: ~value))
  }

  /// The digest of a float.
  public static func ofFloat(_ value: Double) -> Digest { Digest(PackedHead(float: value)) }

  /// The digest of `true` or `false`.
  public static func ofBool(_ value: Bool) -> Digest {
    Digest(PackedHead(major: 7, argument: value ? 21 : 20))
  }

  /// The digest of `null`.
  public static var ofNull: Digest { Digest(PackedHead(major: 7, argument: 22)) }

  /// Texts above this size in bytes are digested as a sum, so that an edit costs what it changes.
  public static let longText = 4_096

  init(arrayOf sum: SequenceSum) { self.init(kind: .array, count: sum.count, sum: sum.sum) }

  init(textOf sum: SequenceSum) { self.init(kind: .text, count: sum.count, sum: sum.sum) }

  init(mapOf count: Int, sum: UInt64) { self.init(kind: .map, count: count, sum: sum) }

  private init(_ head: PackedHead) {
    self.init(
      rawValue: XXH3.hash64(words: (head.words.0, head.words.1, 0), count: head.count))
  }

  /// XXH3-64 of 17 bytes: the kind, the count and the sum.
  private init(kind: Kind, count: Int, sum: UInt64) {
    let count = UInt64(count)
    self.init(
      rawValue: XXH3.hash64(
        words: (UInt64(kind.rawValue) | count << 8, count >> 56 | sum << 8, sum >> 56), count: 17))
  }

  /// What a combined digest is of; the numbers are the protocol's.
  private enum Kind: UInt8 {
    case text = 3
    case array = 4
    case map = 5
    case tag = 6
  }
}
