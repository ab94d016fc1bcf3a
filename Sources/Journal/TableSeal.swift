internal import SQLite
internal import StateModel

/// A hash over the small tables: what the file says about itself (`meta`), and the starts (`epoch`).
///
/// Rows and snapshots carry hashes of their own. Without this one, a bit that flips in the table of
/// starts could give a start another number: positions of clients that are on this history would be
/// called strange to it, and clients told that what they did was undone.
enum TableSeal {
  /// Where it is kept in `meta`; nothing is sealed before format 3.
  static let key = "seal"
  /// The first format that has it.
  static let since: Int64 = 3

  /// The hash of what the tables say now, whatever the seal says.
  static func hash(_ connection: Connection) throws(SQLiteError) -> UInt64 {
    var bytes: [UInt8] = []
    let lines = try connection.prepare(
      """
      SELECT line FROM (
        SELECT 0 AS part, key AS at, quote(key) || '=' || quote(value) AS line FROM meta
          WHERE key <> '\(key)'
        UNION ALL SELECT 1, id, quote(id) || ':' || quote(epoch) || ',' || quote(after) FROM epoch)
      ORDER BY part, at
      """)
    defer { lines.reset() }
    while try lines.step() {
      bytes.append(contentsOf: Array(lines.text(0).utf8))
      bytes.append(0x0A)
    }
    return XXH3.hash64(bytes)
  }

  /// Seals what the tables say, in the transaction that wrote it.
  static func write(_ connection: Connection) throws(SQLiteError) {
    let hash = try hash(connection)
    try connection.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)").run([
      .text(key), .unsigned(hash),
    ])
  }

  /// Why the tables are not what was sealed; nil when they are, or are older than seals.
  static func damage(_ connection: Connection, format: Int64) throws(SQLiteError) -> String? {
    let seal = try connection.prepare("SELECT value FROM meta WHERE key = ?")
    defer { seal.reset() }
    try seal.bind([.text(key)])
    guard try seal.step() else {
      return format < since ? nil : "the seal of the tables of starts is missing"
    }
    let sealed = seal.unsigned(0)
    return try hash(connection) == sealed
      ? nil : "the table of starts, or what the journal says about itself, has changed"
  }
}
