internal import CSQLite

/// Why SQLite did not do what it was asked: the operation, both result codes, and its own words.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds that callers tell apart.
  package enum Kind: Equatable, Sendable {
    /// The disk is full; the transaction was rolled back and the connection works on.
    case full
    /// Reading, writing or syncing failed: what is on the disk is unknown.
    case inputOutput
    /// Another connection holds the lock.
    case busy
    /// The file's structure is damaged.
    case corrupt
    /// The file is no database.
    case notADatabase
    /// A blob is larger than SQLite takes.
    case tooBig
    /// The statement does not fit the tables.
    case statement
    /// Anything else: no memory, no permission.
    case other
  }

  /// What was being done, in words and without data.
  package var operation: String
  /// The primary result code.
  package var code: Int32
  /// The extended result code (https://www.sqlite.org/rescode.html).
  package var extendedCode: Int32
  /// SQLite's sentence.
  package var message: String

  package init(operation: String, code: Int32, extendedCode: Int32, message: String) {
    self.operation = operation
    self.code = code
    self.extendedCode = extendedCode
    self.message = message
  }

  /// What the codes amount to.
  package var kind: Kind {
    switch code {
    case SQLITE_FULL: .full
    // There was no room for the log's shared index: nothing has been written.
    case SQLITE_IOERR where extendedCode == SQLITE_IOERR | (19 << 8): .full
    case SQLITE_IOERR: .inputOutput
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT: .corrupt
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_TOOBIG: .tooBig
    case SQLITE_ERROR: .statement
    default: .other
    }
  }

  /// `operation: message (code/extended code)`.
  package var description: String { "\(operation): \(message) (\(code)/\(extendedCode))" }
}
