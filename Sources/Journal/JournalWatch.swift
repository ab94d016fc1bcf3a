internal import CFileStatus

/// Whether the files of a journal are still the ones that its process has open, and as long as they
/// were.
///
/// A file that is deleted or replaced while it is open can be written and synced as before, and all
/// of it is gone when the process ends. So it is looked at before a row is acknowledged, and not for
/// its times: each row would then be synced with an inode, half as long again (`cfile_look`).
struct JournalWatch {
  private struct File {
    var path: String
    /// A journal's files never get shorter while it is open.
    var status: cfile_status
  }

  private var files: [File]

  /// From now on these are the files. They are there: the process has them open.
  init(_ paths: [String]) {
    files = paths.compactMap { path in
      Self.look(at: path).map { File(path: path, status: $0) }
    }
  }

  /// What somebody else has done to one of them; nil where nobody has.
  mutating func change() -> String? {
    for index in files.indices {
      let (path, before) = (files[index].path, files[index].status)
      guard let now = Self.look(at: path) else { return "\(path) was deleted" }
      guard now.device == before.device, now.inode == before.inode else {
        return "\(path) was replaced by another file"
      }
      guard now.size >= before.size else {
        return "\(path) was cut from \(before.size) to \(now.size) bytes"
      }
      files[index].status = now
    }
    return nil
  }

  /// Nil where nothing can be seen.
  private static func look(at path: String) -> cfile_status? {
    var status = cfile_status()
    return cfile_look(path, &status) == 0 ? status : nil
  }
}
