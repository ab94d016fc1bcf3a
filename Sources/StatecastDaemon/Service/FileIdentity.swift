internal import Glibc

/// Which file it is, whatever it is called: a path may be another file's a moment later.
struct FileIdentity: Equatable, Sendable {
  private var device: UInt
  private var inode: UInt

  /// The file at a path, no link followed; nil if there is none.
  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// An open file.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}
