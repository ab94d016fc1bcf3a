import Foundation
import Testing

@testable import StatecastDaemon

@Suite("An instance's lock")
struct InstanceLockTests {
  @Test("is one daemon's at a time, and names who has it")
  func holder() throws {
    let folder = try TestFolder()
    let path = folder.file("lock")
    let first = try InstanceLock(path)
    #expect(try folder.read("lock") == "\(getpid())\n")
    #expect(
      failure { _ = try InstanceLock(path) }
        == "a daemon runs here already: process \(getpid()) holds \(path). Use that one, stop it"
        + " with `statecast stop --folder \(folder.path)` (`kill \(getpid())` if that finds none), or"
        + " name another --folder.")
    let socket = try InstanceLock(folder.file("requests.lock"))
    #expect(
      failure { _ = try InstanceLock(socket.path) }.contains("with `statecast stop` (`kill"))
    #expect(first.isIntact)
  }

  @Test("is free again when its holder is gone, whatever the file says")
  func reuse() throws {
    let folder = try TestFolder()
    try folder.write("123456789\nlonger than a number\n", to: "lock")
    for _ in 0..<3 {
      let lock = try InstanceLock(folder.file("lock"))
      #expect(try folder.read("lock") == "\(getpid())\n")
      extendLifetime(lock)
    }
  }

  @Test("is not intact once its file was deleted or replaced")
  func deleted() throws {
    let folder = try TestFolder()
    let lock = try InstanceLock(folder.file("lock"))
    try FileManager.default.removeItem(atPath: folder.file("lock"))
    #expect(!lock.isIntact)
    let second = try InstanceLock(folder.file("lock"))
    #expect(!lock.isIntact)
    #expect(second.isIntact)
  }

  @Test("is no link's target")
  func link() throws {
    let folder = try TestFolder()
    try folder.write("precious", to: "other")
    symlink(folder.file("other"), folder.file("lock"))
    let path = folder.file("lock")
    #expect(
      failure { _ = try InstanceLock(path) }
        == "the lock file \(path) cannot be opened: Too many levels of symbolic links. Look at its"
        + " folder's owner and rights, or name another folder with --folder.")
    #expect(try folder.read("other") == "precious")
  }

  @Test("needs a folder")
  func noFolder() throws {
    #expect(
      failure { _ = try InstanceLock("/nowhere/at/all/lock") }
        == "the lock file /nowhere/at/all/lock cannot be opened: No such file or directory. Look at"
        + " its folder's owner and rights, or name another folder with --folder.")
  }

  @Test("is taken once by twenty that start at the same time")
  func race() async throws {
    let folder = try TestFolder()
    let path = folder.file("lock")
    let locks = await withTaskGroup(of: InstanceLock?.self) { group in
      for _ in 0..<20 { group.addTask { try? InstanceLock(path) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(locks.compactMap { $0 }.count == 1)
  }
}
