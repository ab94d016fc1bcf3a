internal import StateModel

/// A large value on its way: the daemon has pinned it, and it comes in chunks.
///
/// Several chunks are under way at a time, so that the daemon copies one while another travels and a
/// third one is taken in here. They may overtake each other.
struct SnapshotPull: Sendable {
  let answer: UInt64
  /// Nil until the first chunk tells it: the daemon may begin to encode only when it is asked.
  private(set) var size: UInt64?
  /// Where the mirror stands once it has all of it.
  let number: CommitNumber
  let digest: Digest
  private(set) var bytes: [UInt8] = []
  /// Chunks that came before what stands in front of them, by their offsets.
  private var ahead: [UInt64: ArraySlice<UInt8>] = [:]
  /// Up to where chunks are asked for.
  private var asked: UInt64 = 0
  /// How long a chunk is, as the first one was; 0 until it came.
  private var stride: UInt64 = 0
  private let faults: ClientFaults

  /// How many chunks are under way at a time.
  static let chunksUnderWay = 3

  /// - Parameter size: 0 where the daemon does not know it yet.
  init(
    answer: UInt64, size: UInt64, number: CommitNumber, digest: Digest, faults: ClientFaults = []
  ) {
    self.answer = answer
    self.size = size == 0 ? nil : size
    self.number = number
    self.digest = digest
    self.faults = faults
  }

  private var offset: UInt64 { UInt64(bytes.count) }
  var isComplete: Bool { offset == size }

  /// The chunk to ask for when none is under way.
  mutating func first() -> UInt64 {
    asked = offset + stride
    return offset
  }

  /// The next one to ask for while others are; nil when there is none, or where it lies is not known.
  mutating func next() -> UInt64? {
    // So many that wait for one in front of them: that one is missing, and has to be asked for.
    guard let size, stride > 0, ahead.count < Self.chunksUnderWay else { return nil }
    while let held = ahead[asked] { asked += UInt64(held.count) }
    guard asked < size else { return nil }
    defer { asked += stride }
    return asked
  }

  /// Takes a piece; false when it does not fit, and the pull has to begin anew.
  ///
  /// Memory is used for bytes that came and were asked for, never for a size that was only announced.
  mutating func take(_ chunk: Chunk) -> Bool {
    let count = UInt64(chunk.bytes.count)
    let anyOffset = faults.contains(.chunksAsTheyCome)
    guard chunk.answer == answer, size.map({ chunk.size == $0 }) ?? true, count > 0,
      chunk.offset == offset || offset < chunk.offset && chunk.offset < asked || anyOffset,
      chunk.offset <= chunk.size, count <= chunk.size - chunk.offset
    else { return false }
    size = chunk.size
    if stride == 0 { stride = count }
    guard chunk.offset == offset || anyOffset else {
      ahead[chunk.offset] = chunk.bytes
      return true
    }
    append(chunk.bytes)
    while let held = ahead.removeValue(forKey: offset) { append(held) }
    // One that came short leaves others behind that do not join on any more.
    ahead = ahead.filter { $0.key > offset }
    asked = max(asked, offset)
    return true
  }

  /// Room is made for all of it where that is not much more than what came; an array that doubles would
  /// touch twice the memory.
  private mutating func append(_ piece: ArraySlice<UInt8>) {
    let count = bytes.count + piece.count
    if count > bytes.capacity {
      bytes.reserveCapacity(min(Int(clamping: size ?? 0), Self.growth * count))
    }
    bytes += piece
  }

  private static let growth = 4
}
