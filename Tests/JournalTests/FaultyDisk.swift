import CSQLite
import Glibc
import Synchronization

/// A disk that fails when it is told to: SQLite's own file layer, with writing and syncing replaced.
///
/// What is written is written, also where its sync then fails, as on a disk. Used by its name
/// (`JournalOptions.fileLayer`).
final class FaultyDisk: Sendable {
  enum Fault: Equatable {
    /// Writing finds the disk full.
    case full
    /// Writing the main file finds the disk full: the log has been given its room before.
    case fullMainFile
    /// Syncing the log fails.
    case syncOfLog
    /// Syncing the main file fails.
    case syncOfMainFile
    /// Reading fails.
    case read
    /// Writing the log fails.
    case writeOfLog
  }

  let name: String
  private let fault = Mutex<Fault?>(nil)

  /// What fails from now on; nil: nothing.
  var failing: Fault? {
    get { fault.withLock { $0 } }
    set { fault.withLock { $0 = newValue } }
  }

  private let recorder = Mutex<DiskRecording?>(nil)

  /// Where what is written and synced is noted, from now on; nil: nowhere.
  var recording: DiskRecording? {
    get { recorder.withLock { $0 } }
    set { recorder.withLock { $0 = newValue } }
  }

  /// Registers the layer under a name of its own; it stays for the life of the process.
  init() {
    name = "faulty-\(Self.count.add(1, ordering: .relaxed).newValue)"
    guard let system = sqlite3_vfs_find(nil), let copy = strdup(name) else { return }
    let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    layer.initialize(to: system.pointee)
    layer.pointee.pNext = nil
    layer.pointee.zName = UnsafePointer(copy)
    layer.pointee.xOpen = { layer, path, file, flags, outFlags in
      guard let layer, let file, let system = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
      let result = system.pointee.xOpen(system, path, file, flags, outFlags)
      guard result == SQLITE_OK, let methods = file.pointee.pMethods else { return result }
      let name = String(cString: layer.pointee.zName)
      let faulty = FaultyDisk.methods(methods)
      FaultyDisk.open.withLock { open in
        open[UInt(bitPattern: file)] = Open(
          disk: FaultyDisk.disks.withLock { $0[name] }, methods: UInt(bitPattern: methods),
          isLog: flags & SQLITE_OPEN_WAL != 0,
          name: path.map { String(cString: $0) }?.split(separator: "/").last.map(String.init) ?? "")
      }
      file.pointee.pMethods = UnsafePointer(faulty)
      return result
    }
    Self.disks.withLock { $0[name] = self }
    sqlite3_vfs_register(layer, 0)
  }

  private struct Open {
    var disk: FaultyDisk?
    /// The system's methods, as an address.
    var methods: UInt
    var isLog: Bool
    var name: String
  }

  private static let count = Atomic(0)
  private static let disks = Mutex<[String: FaultyDisk]>([:])
  private static let open = Mutex<[UInt: Open]>([:])
  /// The replaced methods, by the address of the system's.
  private static let replaced = Mutex<[UInt: UInt]>([:])

  /// Runs `fails` on what fails now, and the system's method where it gives nil.
  private static func run(
    _ file: UnsafeMutablePointer<sqlite3_file>?, fails: (Fault, Bool) -> Int32?,
    _ body: (sqlite3_io_methods) -> Int32
  ) -> Int32 {
    guard let opened = open.withLock({ $0[UInt(bitPattern: file)] }),
      let methods = UnsafePointer<sqlite3_io_methods>(bitPattern: opened.methods)
    else { return SQLITE_IOERR }
    if let fault = opened.disk?.failing, let result = fails(fault, opened.isLog) { return result }
    return body(methods.pointee)
  }

  /// Notes what was done to a file.
  private static func record(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ operation: (String) -> DiskRecording.Operation
  ) {
    guard let opened = open.withLock({ $0[UInt(bitPattern: file)] }) else { return }
    opened.disk?.recording?.add(operation(opened.name))
  }

  private static func methods(
    _ system: UnsafePointer<sqlite3_io_methods>
  ) -> UnsafeMutablePointer<sqlite3_io_methods>? {
    replaced.withLock { replaced in
      if let known = replaced[UInt(bitPattern: system)] {
        return UnsafeMutablePointer(bitPattern: known)
      }
      let faulty = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      faulty.initialize(to: system.pointee)
      faulty.pointee.xWrite = { file, bytes, count, offset in
        let result = FaultyDisk.run(file) { fault, isLog in
          switch fault {
          case .full: SQLITE_FULL
          case .fullMainFile where !isLog: SQLITE_FULL
          case .writeOfLog where isLog: SQLITE_IOERR | (3 << 8)
          default: nil
          }
        } _: {
          $0.xWrite(file, bytes, count, offset)
        }
        if result == SQLITE_OK {
          FaultyDisk.record(file) { name in
            .write(
              file: name, offset: Int(offset),
              bytes: Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
          }
        }
        return result
      }
      faulty.pointee.xTruncate = { file, size in
        let result = FaultyDisk.run(file) { _, _ in
          nil
        } _: {
          $0.xTruncate(file, size)
        }
        if result == SQLITE_OK { FaultyDisk.record(file) { .cut(file: $0, size: Int(size)) } }
        return result
      }
      faulty.pointee.xRead = { file, bytes, count, offset in
        FaultyDisk.run(file) { fault, _ in
          fault == .read ? SQLITE_IOERR | (1 << 8) : nil
        } _: {
          $0.xRead(file, bytes, count, offset)
        }
      }
      faulty.pointee.xSync = { file, flags in
        let result = FaultyDisk.run(file) { fault, isLog in
          fault == (isLog ? .syncOfLog : .syncOfMainFile) ? SQLITE_IOERR | (4 << 8) : nil
        } _: {
          $0.xSync(file, flags)
        }
        if result == SQLITE_OK { FaultyDisk.record(file) { .sync(file: $0) } }
        return result
      }
      faulty.pointee.xClose = { file in
        let result = FaultyDisk.run(file) { _, _ in
          nil
        } _: {
          $0.xClose(file)
        }
        _ = FaultyDisk.open.withLock { $0.removeValue(forKey: UInt(bitPattern: file)) }
        return result
      }
      replaced[UInt(bitPattern: system)] = UInt(bitPattern: faulty)
      return faulty
    }
  }
}
