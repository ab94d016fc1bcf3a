internal import Glibc

/// A file beside the database: the mark, and the log before SQLite opens it; or a folder, to lock or
/// to sync it.
///
/// Never the database itself while it is open: closing any descriptor of a file drops the locks
/// that the process has on it (https://www.sqlite.org/howtocorrupt.html, 2.2).
final class JournalFile: Sendable {
  let path: String
  private let descriptor: Int32

  enum Mode {
    case read
    case write
    case create
    /// Not a file but a folder.
    case folder
  }

  init(_ path: String, _ mode: Mode) throws(JournalError) {
    self.path = path
    let flags: Int32 =
      switch mode {
      case .read: O_RDONLY
      case .write: O_RDWR
      case .create: O_RDWR | O_CREAT
      case .folder: O_RDONLY | O_DIRECTORY
      }
    // A FIFO of that name would else hold up the start until somebody writes to it.
    descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
    if descriptor < 0 { throw Self.failure("open", path) }
    var status = stat()
    // `deinit` closes it, here too: all of the file is there. Closed twice, its number may be another's.
    guard mode == .folder || (fstat(descriptor, &status) == 0 && status.isRegularFile) else {
      throw Self.irregular(path)
    }
  }

  /// Throws for what is there and no regular file. Opens nothing, so it is for the database, too. A
  /// link is none: SQLite would keep the log beside what it leads to, where nobody looks for it.
  static func refuseIrregular(_ path: String) throws(JournalError) {
    var status = stat()
    if lstat(path, &status) == 0, !status.isRegularFile { throw irregular(path) }
  }

  private static func irregular(_ path: String) -> JournalError {
    JournalError(
      .inputOutput,
      "\(path) is no regular file, and so no part of a journal. Nothing has been changed. "
        + "Try: find out what put it there and remove it, or give the journal a folder of its own.")
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Closing alone would not free the lock while a program that is just being started holds a copy.
    unlock()
    Glibc.close(descriptor)
  }

  var size: Int {
    get throws(JournalError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw Self.failure("stat", path) }
      return Int(status.st_size)
    }
  }

  /// When it was changed last: seconds of the wall clock, for telling older from newer.
  var changed: Int {
    get throws(JournalError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw Self.failure("stat", path) }
      return Int(status.st_mtim.tv_sec)
    }
  }

  /// Up to `count` bytes from `offset` on; fewer only at the end of the file.
  func read(_ count: Int, at offset: Int) throws(JournalError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let result = bytes.withUnsafeMutableBytes { buffer in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        return pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      }
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else { throw Self.failure("read", path) }
      if result == 0 { break }
      done += result
    }
    bytes.removeLast(count - done)
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
    var done = 0
    while done < bytes.count {
      let result = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        return pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw Self.failure("write", path) }
      done += result
    }
  }

  /// Waits until the content is on the disk.
  func sync() throws(JournalError) {
    guard fdatasync(descriptor) == 0 else { throw Self.failure("sync", path) }
  }

  /// Takes all rights away from everybody but its user, whatever it was made with.
  func restrict() throws(JournalError) {
    guard fchmod(descriptor, 0o600) == 0 else { throw Self.failure("restrict", path) }
  }

  /// Copies a whole file, durably.
  static func copy(_ file: String, to copy: String) throws(JournalError) {
    let source = try JournalFile(file, .read)
    let target = try JournalFile(copy, .create)
    var offset = 0
    while true {
      let bytes = try source.read(1 << 20, at: offset)
      if bytes.isEmpty { break }
      try target.write(bytes, at: offset)
      offset += bytes.count
    }
    try target.sync()
  }

  /// Lets go of the lock, if it is held.
  func unlock() { flock(descriptor, LOCK_UN) }

  /// Takes the lock that this process holds until the file is closed; false when another has it.
  func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  static func failure(_ operation: String, _ path: String) -> JournalError {
    let code = errno
    let text = String(cString: strerror(code))
    return JournalError(
      code == ENOSPC ? .noSpace : .inputOutput,
      "\(operation) \(path): \(text). Try: look at the disk and at the permissions of the folder.")
  }
}

extension stat {
  fileprivate var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}
