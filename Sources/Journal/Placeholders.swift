// Stand-ins until the model's `Value` and the server's codec land; this file goes then.
internal import StateModel
internal import SyncProtocol

extension JournalRow {
  func encoded() -> [UInt8] { [] }
  init(encoded bytes: [UInt8]) throws(DecodingFailure) {
    throw DecodingFailure(.truncated, "placeholder")
  }
}
extension SessionTable {
  func encoded() -> [UInt8] { [0xF6] }
  init(encoded bytes: [UInt8]) throws(DecodingFailure) { self.init() }
}
struct SessionReplay {
  var table: SessionTable
  init(_ table: SessionTable) { self.table = table }
  mutating func take(_ row: JournalRow) {}
}
extension Value {
  var digest: Digest { Digest(rawValue: 0) }
  func encoded() -> [UInt8] { [] }
  init(encoded bytes: [UInt8]) throws(DecodingFailure) { self = .null }
  mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {}
}
