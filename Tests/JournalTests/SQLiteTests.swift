import Testing

@testable import SQLite

@Suite("The wrapper of SQLite")
struct SQLiteTests {
  let scratch = Scratch()
  var path: String { scratch.path + "/test.db" }

  func connection() throws -> Connection {
    let connection = try Connection(path, mode: .create)
    try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, data BLOB, text TEXT)")
    return connection
  }

  @Test("what is bound comes back: blobs of any length, texts with NUL, all 64 bits, null")
  func values() throws {
    let connection = try connection()
    let insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?)")
    let blobs: [[UInt8]] = [[], [0], Array(repeating: 7, count: 100_000)]
    for (index, blob) in blobs.enumerated() {
      try insert.run([.integer(Int64(index)), .blob(blob), .text("a\u{0}é\(index)")])
    }
    try insert.run([.unsigned(UInt64.max), .null, .null])
    let select = try connection.prepare("SELECT id, data, text FROM t WHERE id = ?")
    for (index, blob) in blobs.enumerated() {
      try select.bind([.integer(Int64(index))])
      #expect(try select.step())
      #expect(select.blob(1) == blob)
      #expect(!select.isNull(1))
      #expect(select.text(2) == "a\u{0}é\(index)")
      #expect(try !select.step())
    }
    try select.bind([.unsigned(UInt64.max)])
    #expect(try select.step())
    #expect(select.unsigned(0) == UInt64.max)
    #expect(select.isNull(1))
    select.reset()
  }

  @Test("an error names the operation, both codes and SQLite's words")
  func errors() throws {
    let connection = try connection()
    let error = #expect(throws: SQLiteError.self) {
      try connection.prepare("SELECT x FROM missing")
    }
    #expect(error?.description == "SELECT x FROM missing: no such table: missing (1/1)")
    #expect(error?.kind == .statement)
    let insert = try connection.prepare("INSERT INTO t(id) VALUES (?)")
    try insert.run([.integer(1)])
    let twice = #expect(throws: SQLiteError.self) { try insert.run([.integer(1)]) }
    #expect(twice?.code == 19)
    #expect(twice?.extendedCode == 1555)
    let missing = #expect(throws: SQLiteError.self) {
      _ = try Connection(scratch.path + "/no/file", mode: .existing)
    }
    #expect(missing?.code == 14)
  }

  @Test("a file that is no database says so")
  func noDatabase() throws {
    try Scratch.write(Array(repeating: 65, count: 8192), to: path)
    let connection = try Connection(path, mode: .existing)
    let error = #expect(throws: SQLiteError.self) { _ = try connection.value("SELECT 1 FROM t") }
    #expect(error?.kind == .notADatabase)
  }

  @Test("a transaction whose body throws leaves nothing")
  func rollBack() throws {
    let connection = try connection()
    #expect(throws: SQLiteError.self) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t(id) VALUES (1)")
        try connection.execute("INSERT INTO missing VALUES (1)")
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try connection.value("SELECT count(*) FROM t") == 0)
  }

  @Test("a lock that another connection holds is busy, after the time given and not before")
  func busy() throws {
    let first = try connection()
    let second = try Connection(path, mode: .existing, busy: .zero)
    try first.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: SQLiteError.self) { try second.execute("BEGIN IMMEDIATE") }
    #expect(error?.kind == .busy)
    first.rollBack()
    try second.execute("BEGIN IMMEDIATE")
    second.rollBack()
  }

  @Test("the log's length is told, and a checkpoint says how far it came")
  func log() throws {
    let connection = try connection()
    try connection.execute("PRAGMA journal_mode=WAL")
    try connection.execute("INSERT INTO t(id) VALUES (1)")
    #expect(connection.logFrames == 1)
    let reader = try Connection(path, mode: .existing)
    try reader.execute("BEGIN")
    _ = try reader.value("SELECT count(*) FROM t")
    try connection.execute("INSERT INTO t(id) VALUES (2)")
    #expect(try connection.checkpoint(.passive) == .init(frames: 2, copied: 1))
    reader.rollBack()
    #expect(try connection.checkpoint(.passive) == .init(frames: 2, copied: 2))
    try connection.execute("INSERT INTO t(id) VALUES (3)")
    #expect(connection.logFrames == 1, "the log started anew")
  }

  @Test("the last connection deletes the log when it closes, unless told to keep it")
  func keepLog() throws {
    for keep in [true, false] {
      let connection = try Connection(path, mode: .create)
      try connection.execute("PRAGMA journal_mode=WAL")
      try connection.execute("CREATE TABLE IF NOT EXISTS u(id)")
      try connection.execute("INSERT INTO u VALUES (1)")
      try connection.keepLogOnClose(keep)
      try connection.close()
      #expect(Scratch.names(in: scratch.path).contains("test.db-wal") == keep)
    }
  }
}
