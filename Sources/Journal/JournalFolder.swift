internal import FoundationEssentials
internal import Glibc
internal import StateModel

/// The folder that a journal lives in: its files by name, its lock, the copies of damaged files.
struct JournalFolder {
  let path: String
  /// Holds the lock; of the folder itself, so that nobody can remove what is locked.
  private let lock: JournalFile

  var database: String { path + "/journal.db" }
  var log: String { database + "-wal" }
  /// SQLite's shared index of the log: made anew whenever it is missing.
  var index: String { database + "-shm" }
  var mark: String { path + "/journal.mark" }
  /// A database that is being made.
  var unfinished: String { path + "/journal.new" }
  /// Says that the process before could not write, and why.
  var failure: String { path + "/journal.failed" }
  var copies: String { path + "/copies" }

  /// Makes the folder when it is missing, and takes it for this process alone.
  init(_ path: String) throws(JournalError) {
    self.path = path
    try Self.make(path)
    lock = try JournalFile(path, .folder)
    guard lock.lock() else {
      throw JournalError(
        .busy,
        "the journal in \(path) is in use by another process. "
          + "Try: stop the other daemon, or give this one a folder of its own.")
    }
    try refuseIrregular()
    // A database that was restored by an older version, or copied by hand, may be for everybody.
    for file in [database, log, index] where exists(file) {
      if chmod(file, 0o600) != 0 { throw JournalFile.failure("restrict", file) }
    }
  }

  /// Looks at a folder that is there.
  ///
  /// - Parameter isExclusive: takes it for this process alone; else others may write meanwhile.
  init(existing path: String, isExclusive: Bool) throws(JournalError) {
    self.path = path
    guard access(path, F_OK) == 0 || errno != ENOENT else {
      throw JournalError(
        .inputOutput,
        "there is no folder \(path). Try: the folder that the daemon was given with "
          + "--state-directory; its log names it.")
    }
    lock = try JournalFile(path, .folder)
    if isExclusive, !lock.lock() {
      throw JournalError(
        .busy,
        "the journal in \(path) is in use by another process. Try: stop the daemon "
          + "(`statecast stop`), or make a backup (`statecast backup`) and look at that.")
    }
    try refuseIrregular()
  }

  /// SQLite, too, would wait for ever for what a FIFO holds.
  private func refuseIrregular() throws(JournalError) {
    for file in [database, log, index, mark, failure] { try JournalFile.refuseIrregular(file) }
  }

  /// The folder, for this process alone where no other one has it.
  static func alone(
    _ path: String
  ) throws(JournalError) -> (folder: JournalFolder, isAlone: Bool) {
    do throws(JournalError) {
      return (try JournalFolder(existing: path, isExclusive: true), true)
    } catch {
      guard error.kind == .busy else { throw error }
      return (try JournalFolder(existing: path, isExclusive: false), false)
    }
  }

  /// The folder of a journal that was named by its folder or by its database.
  static func path(of name: String) -> String {
    let name = name.hasSuffix("/journal.db") ? parent(of: name) : name
    return name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
  }

  /// The folder that something is in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Removes a folder and the files in it; nothing happens where there is none.
  static func removeTree(_ path: String) throws(JournalError) {
    guard access(path, F_OK) == 0 else { return }
    for name in names(in: path) where unlink("\(path)/\(name)") != 0 {
      throw JournalFile.failure("remove", "\(path)/\(name)")
    }
    if rmdir(path) != 0 { throw JournalFile.failure("remove", path) }
  }

  /// Whether a path leads to this very folder, by whatever name.
  func isSame(as other: String) -> Bool {
    var (own, theirs) = (Glibc.stat(), Glibc.stat())
    return stat(path, &own) == 0 && stat(other, &theirs) == 0 && own.st_dev == theirs.st_dev
      && own.st_ino == theirs.st_ino
  }

  /// Lets other processes have the folder.
  func release() { lock.unlock() }

  func exists(_ file: String) -> Bool { access(file, F_OK) == 0 }

  /// Makes a folder for this user alone, and those above it.
  private static func make(_ path: String) throws(JournalError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try make(String(path[..<slash]))
      if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    }
    throw JournalFile.failure("make the folder", path)
  }

  /// The names in a folder; none where there is no such folder.
  static func names(in path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
  }

  func remove(_ file: String) throws(JournalError) {
    guard exists(file) else { return }
    if unlink(file) != 0 { throw JournalFile.failure("remove", file) }
  }

  /// Puts `file` in the place of another one, which is gone then.
  func rename(_ file: String, to place: String) throws(JournalError) {
    if Glibc.rename(file, place) != 0 { throw JournalFile.failure("rename", file) }
  }

  /// Waits until names that were made, removed or changed are on the disk.
  func sync() throws(JournalError) { try lock.sync() }

  /// Puts a mark in the place of whatever is there, durably.
  func writeMark(_ mark: JournalMark) throws(JournalError) {
    let unfinished = self.mark + ".new"
    try remove(unfinished)
    let file = try JournalFile(unfinished, .create)
    try file.write([UInt8](repeating: 0, count: JournalMark.fileBytes), at: 0)
    try file.write(mark.encoded(), at: mark.offset)
    try file.sync()
    try rename(unfinished, to: self.mark)
    try sync()
  }

  /// Bytes that may still be written to the disk of this folder; nil when that cannot be told.
  var freeBytes: Int? {
    var status = Glibc.statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        .partialValue)
  }

  /// Removes the oldest copies of a kind: a daemon that a service manager starts again and again on
  /// a failing disk must not fill it.
  func dropCopies(of kind: String, keeping count: Int) throws(JournalError) {
    var copies: [(path: String, changed: Int)] = []
    for name in Self.names(in: self.copies) where name.hasPrefix(kind + "-") {
      let path = "\(self.copies)/\(name)"
      copies.append((path, try JournalFile(path, .folder).changed))
    }
    copies.sort { $0.changed < $1.changed }
    for copy in copies.dropLast(count) {
      for name in Self.names(in: copy.path) { try remove("\(copy.path)/\(name)") }
      if rmdir(copy.path) != 0 { throw JournalFile.failure("remove", copy.path) }
    }
  }

  /// Copies database, log and mark to a folder of their own and gives its path.
  ///
  /// The same content is copied once, however often a service manager starts the daemon again: the
  /// folder is named after sizes, mark and the beginning of the log.
  func keepCopy(why: String) throws(JournalError) -> String {
    let files = [database, log, mark, failure].filter(exists)
    var identity: [UInt8] = []
    for file in files {
      let open = try JournalFile(file, .read)
      let size = try open.size
      identity.appendLittleEndian(UInt64(size))
      identity += try open.read(min(size, JournalMark.fileBytes), at: 0)
    }
    let place = "\(copies)/\(why)-\(Digest(rawValue: XXH3.hash64(identity)))"
    if exists(place) { return place }
    let unfinished = place + ".unfinished"
    let copied = files.map { unfinished + $0.dropFirst(path.count) }
    do throws(JournalError) {
      try Self.make(unfinished)
      for (file, copy) in zip(files, copied) { try JournalFile.copy(file, to: copy) }
      try rename(unfinished, to: place)
      try sync()
    } catch {
      // Half a copy is of no use, and the disk may be full.
      for copy in copied { unlink(copy) }
      rmdir(unfinished)
      throw JournalError(
        error.kind,
        "no copy of the journal could be made, and nothing was changed: \(error.message)")
    }
    return place
  }
}
