internal import Glibc

/// Whether the files of a journal are still the ones that its process has open, and as long as they
/// were.
///
/// A file that is deleted or replaced while it is open can be written and synced as before, and all
/// of it is gone when the process ends. So it is looked at before a row is acknowledged.
struct JournalWatch {
  private struct File {
    var path: String
    var device: UInt
    var inode: UInt
    /// A journal's files never get shorter while it is open.
    var size: Int
  }

  private var files: [File]

  /// From now on these are the files. They are there: the process has them open.
  init(_ paths: [String]) {
    files = paths.compactMap { path in
      Self.look(at: path).map {
        File(path: path, device: $0.device, inode: $0.inode, size: $0.size)
      }
    }
  }

  /// What somebody else has done to one of them; nil where nobody has.
  mutating func change() -> String? {
    for index in files.indices {
      let file = files[index]
      guard let now = Self.look(at: file.path) else { return "\(file.path) was deleted" }
      guard now.device == file.device, now.inode == file.inode else {
        return "\(file.path) was replaced by another file"
      }
      guard now.size >= file.size else {
        return "\(file.path) was cut from \(file.size) to \(now.size) bytes"
      }
      files[index].size = now.size
    }
    return nil
  }

  /// Nil where nothing is; what cannot be looked at for another reason may still be there.
  private static func look(at path: String) -> (device: UInt, inode: UInt, size: Int)? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
  }
}
