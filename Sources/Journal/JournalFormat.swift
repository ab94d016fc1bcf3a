/// The tables, and the rule by which an older program knows that it cannot read a journal.
enum JournalFormat {
  /// The format that this program writes, and the newest that it reads. Whoever changes the tables,
  /// the envelopes or the bytes of a row raises it.
  ///
  /// 2: entries of kind `migrated`, and the schemas of the states that the journal has held.
  /// 3: the small tables are sealed (`TableSeal`).
  static let current: Int64 = 3
  /// The oldest Statecast that reads `current`; told by the file to programs that are older.
  static let readableSince = "0.3.0"
  /// Bytes of a page of the database, and of the frame that it is in the log.
  static let pageBytes = 4096
  /// Marks the file as a journal of Statecast ("STCJ"), for `file` and for people.
  static let applicationID: Int64 = 0x5354_434A

  /// The tables. Numbers of 64 bits are kept as SQLite's signed ones, with the same bits.
  static let tables = """
    CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE epoch(id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, after INTEGER NOT NULL);
    CREATE TABLE batch(id INTEGER PRIMARY KEY, base INTEGER NOT NULL, last INTEGER NOT NULL,
      hash INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE TABLE snapshot(row INTEGER PRIMARY KEY, first INTEGER NOT NULL, parts INTEGER NOT NULL,
      hash INTEGER NOT NULL);
    CREATE TABLE snapshot_part(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
    """
}
