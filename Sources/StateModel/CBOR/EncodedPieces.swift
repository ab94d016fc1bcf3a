/// An encoding in pieces of one length, but for the last one: so a large value is encoded without an
/// array that is copied whenever it has outgrown its room, and each byte's memory is taken once.
package struct EncodedPieces: Equatable, Sendable {
  /// None is empty, unless all is.
  private let pieces: [[UInt8]]
  /// Of each piece but the last one.
  private let length: Int
  /// How many bytes in all.
  package let count: Int

  /// An encoding that is there as a whole: one piece, or cut into several.
  package init(_ bytes: [UInt8], of length: Int = .max) {
    let starts = bytes.count > length ? stride(from: 0, to: bytes.count, by: length) : nil
    self.init(
      starts?.map { Array(bytes[$0..<min($0 + length, bytes.count)]) } ?? [bytes], of: length)
  }

  init(_ pieces: [[UInt8]], of length: Int) {
    self.pieces = pieces
    self.length = max(1, length)
    count = pieces.reduce(0) { $0 + $1.count }
  }

  /// All of it in one array, which is not copied where it is one piece.
  package var bytes: [UInt8] { pieces.count == 1 ? pieces[0] : Array(pieces.joined()) }

  /// What stands at `offset`, at most `most` bytes and not beyond a piece; nil behind the end.
  package func bytes(at offset: Int, atMost most: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, offset <= count else { return nil }
    let index = min(offset / length, pieces.count - 1)
    return pieces[index][(offset - index * length)...].prefix(most)
  }
}
