import StateModel
import SyncProtocol
import Testing

@testable import Journal

@Suite("A stored row")
struct RowEnvelopeTests {
  let envelope = RowEnvelope(
    id: 7, base: CommitNumber(rawValue: 20), last: CommitNumber(rawValue: 22), previous: 0xABCD,
    row: Array("the row".utf8))

  @Test("opens to what was sealed")
  func roundTrip() throws {
    let (bytes, hash) = envelope.sealed()
    let opened = try #require(RowEnvelope.open(bytes))
    #expect(opened.envelope == envelope)
    #expect(opened.hash == hash)
  }

  @Test("does not open with any bit flipped, nor shorter, nor longer")
  func damage() {
    let (bytes, _) = envelope.sealed()
    for bit in 0..<(bytes.count * 8) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(RowEnvelope.open(damaged) == nil, "bit \(bit)")
    }
    for length in 0..<bytes.count { #expect(RowEnvelope.open(Array(bytes.prefix(length))) == nil) }
    #expect(RowEnvelope.open(bytes + [0]) == nil)
  }

  @Test("has these bytes: the format is kept")
  func bytes() {
    let (bytes, _) = envelope.sealed()
    #expect(Array(bytes.prefix(8)) == Array("SCJ1".utf8) + [7, 0, 0, 0])
    #expect(bytes[8] == 7 && bytes[16] == 20 && bytes[24] == 22 && bytes[32] == 0xCD)
    #expect(bytes.suffix(8) == XXH3.hash64(bytes.dropLast(8)).bigEndianBytes.reversed()[...])
  }

  @Test("two journals never share the beginning of a chain")
  func chainStart() {
    let one = Lineage(Bytes16(high: 1, low: 2))
    let other = Lineage(Bytes16(high: 1, low: 3))
    #expect(RowEnvelope.chainStart(one) != RowEnvelope.chainStart(other))
  }
}

@Suite("The mark beside a journal")
struct JournalMarkTests {
  func mark(_ sequence: UInt64) -> JournalMark {
    JournalMark(
      sequence: sequence, row: 10 + sequence, commit: CommitNumber(rawValue: 5), hash: 3, epochs: 2,
      lineage: Lineage(Bytes16(high: 8, low: 9)))
  }

  func file(_ marks: JournalMark...) -> [UInt8] {
    var file = [UInt8](repeating: 0, count: JournalMark.fileBytes)
    for mark in marks {
      let bytes = mark.encoded()
      file.replaceSubrange(mark.offset..<(mark.offset + bytes.count), with: bytes)
    }
    return file
  }

  @Test("is the newer of two slots")
  func newer() {
    #expect(JournalMark(file: file(mark(4), mark(5))) == mark(5))
    #expect(JournalMark(file: file(mark(6), mark(5))) == mark(6))
    #expect(JournalMark(file: file(mark(1))) == mark(1))
  }

  @Test("is the older one where the newer was torn")
  func torn() {
    for index in 0..<mark(5).encoded().count {
      var bytes = file(mark(4), mark(5))
      bytes[mark(5).offset + index] ^= 0xFF
      #expect(JournalMark(file: bytes) == mark(4), "byte \(index)")
    }
  }

  @Test("is none in an empty or short file")
  func none() {
    #expect(JournalMark(file: []) == nil)
    #expect(JournalMark(file: [UInt8](repeating: 0, count: 4096)) == nil)
    #expect(JournalMark(file: Array(mark(4).encoded().dropLast())) == nil)
  }
}
