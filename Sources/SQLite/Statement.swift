internal import CSQLite

/// A compiled statement: run as often as wanted, with other parameters each time.
package final class Statement {
  /// A value for a `?`.
  package enum Parameter: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// The same 64 bits: SQLite has signed integers only.
    package static func unsigned(_ value: UInt64) -> Parameter {
      .integer(Int64(bitPattern: value))
    }
  }

  private let handle: OpaquePointer
  private let connection: Connection
  private let name: String

  /// Compiles `sql`, its first statement.
  init(_ sql: String, on connection: Connection) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    try connection.check(
      sqlite3_prepare_v3(connection.handle, sql, -1, flags, &prepared, nil), sql)
    guard let prepared else {
      throw SQLiteError(
        operation: sql, code: SQLITE_MISUSE, extendedCode: SQLITE_MISUSE, message: "no statement")
    }
    handle = prepared
    name = sql
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs the statement to its end and gives the number of rows it changed.
  ///
  /// Blobs are not copied: they are bound for the length of this call.
  @discardableResult
  package func run(_ parameters: [Parameter] = []) throws(SQLiteError) -> Int {
    sqlite3_reset(handle)
    let result = withBound(parameters[...], at: 1) {
      var result = sqlite3_step(handle)
      while result == SQLITE_ROW { result = sqlite3_step(handle) }
      return result
    }
    let error = result == SQLITE_DONE ? nil : Connection.error(name, result, connection.handle)
    let changes = Int(sqlite3_changes(connection.handle))
    sqlite3_reset(handle)
    // The blobs' memory is not ours any more.
    sqlite3_clear_bindings(handle)
    if let error { throw error }
    return changes
  }

  /// Starts a query: `step` gives its rows. Blobs are copied.
  package func bind(_ parameters: [Parameter]) throws(SQLiteError) {
    sqlite3_reset(handle)
    for (index, parameter) in parameters.enumerated() {
      let result =
        switch parameter {
        case .blob(let bytes) where !bytes.isEmpty:
          bytes.withUnsafeBytes {
            sqlite3_bind_blob64(
              handle, Int32(index + 1), $0.baseAddress, UInt64($0.count),
              statecast_sqlite_transient())
          }
        default: bindPlain(parameter, at: Int32(index + 1))
        }
      try connection.check(result, name)
    }
  }

  /// Goes to the next row; false behind the last one. A query that is left before its end must be
  /// `reset`: it would keep the log from being restarted.
  package func step() throws(SQLiteError) -> Bool {
    let result = sqlite3_step(handle)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(handle)
      return false
    default:
      let error = Connection.error(name, result, connection.handle)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Ends a query.
  package func reset() { sqlite3_reset(handle) }

  /// Whether a column of the present row is null.
  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  /// A column of the present row.
  package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  /// A column of the present row, as the 64 bits that were bound.
  package func unsigned(_ column: Int) -> UInt64 { UInt64(bitPattern: integer(column)) }

  /// A column of the present row, copied once.
  package func blob(_ column: Int) -> [UInt8] {
    // The pointer first, then the length, as the manual asks
    // (https://www.sqlite.org/c3ref/column_blob.html).
    let start = sqlite3_column_blob(handle, Int32(column))
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// A column of the present row.
  package func text(_ column: Int) -> String {
    String(decoding: blob(column), as: UTF8.self)
  }

  /// Binds the parameters from `index` on, and runs `body` while their memory is there.
  private func withBound(
    _ parameters: ArraySlice<Parameter>, at index: Int32, _ body: () -> Int32
  ) -> Int32 {
    guard let first = parameters.first else { return body() }
    let rest = parameters.dropFirst()
    // An empty array has no address, which SQLite would take for null.
    if case .blob(let bytes) = first, !bytes.isEmpty {
      return bytes.withUnsafeBytes { buffer in
        let result = sqlite3_bind_blob64(
          handle, index, buffer.baseAddress, UInt64(buffer.count), nil)
        return result == SQLITE_OK ? withBound(rest, at: index + 1, body) : result
      }
    }
    let result = bindPlain(first, at: index)
    return result == SQLITE_OK ? withBound(rest, at: index + 1, body) : result
  }

  private func bindPlain(_ parameter: Parameter, at index: Int32) -> Int32 {
    switch parameter {
    case .integer(let value): sqlite3_bind_int64(handle, index, value)
    case .text(let value):
      sqlite3_bind_text(
        handle, index, value, Int32(clamping: value.utf8.count), statecast_sqlite_transient())
    case .blob: sqlite3_bind_zeroblob(handle, index, 0)
    case .null: sqlite3_bind_null(handle, index)
    }
  }
}
