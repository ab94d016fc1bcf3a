import Foundation
import Testing
import ZeroMQ

@testable import StatecastDaemon

@Suite("A socket's path")
struct SocketPathTests {
  private func socketPath(_ path: String) throws -> SocketPath {
    try #require(SocketPath(endpoint: "ipc://" + path))
  }

  private func bound(_ path: String, in context: Context) throws -> Socket {
    let socket = try Socket(.router, in: context)
    try socket.bind("ipc://" + path)
    return socket
  }

  @Test("is an ipc endpoint's")
  func endpoints() {
    #expect(SocketPath(endpoint: "tcp://127.0.0.1:7000") == nil)
    #expect(SocketPath(endpoint: "ipc:///run/x/requests")?.path == "/run/x/requests")
    #expect(SocketPath(endpoint: "ipc:///run/x/requests")?.folder == "/run/x")
  }

  @Test("is free where nothing is, and where a dead daemon's socket is")
  func free() throws {
    let folder = try TestFolder()
    let path = folder.file("s")
    try socketPath(path).prepare()
    let context = try Context()
    let socket = try bound(path, in: context)
    socket.close()
    context.terminate()
    #expect(FileManager.default.fileExists(atPath: path))
    try socketPath(path).prepare()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("is not free while a program listens, which keeps its socket")
  func listening() throws {
    let folder = try TestFolder()
    let path = folder.file("s")
    let context = try Context()
    let socket = try bound(path, in: context)
    #expect(
      failure { try socketPath(path).prepare() }
        == "a program listens on \(path) already. Stop it, or name another folder with --folder.")
    #expect(FileManager.default.fileExists(atPath: path))
    socket.close()
  }

  @Test("is never taken from what is no socket")
  func noSocket() throws {
    let folder = try TestFolder()
    try folder.write("precious", to: "file")
    mkdir(folder.file("folder"), 0o700)
    symlink(folder.file("file"), folder.file("link"))
    for name in ["file", "folder", "link"] {
      let path = folder.file(name)
      #expect(
        failure { try socketPath(path).prepare() }
          == "\(path) is there and is no socket; it is left alone. Move it away, or name another"
          + " folder with --folder.")
    }
    #expect(try folder.read("file") == "precious")
  }

  @Test("has 107 bytes at most, and begins with /")
  func length() throws {
    let fits = "/tmp/" + String(repeating: "a", count: 102)
    try socketPath(fits).prepare()
    #expect(
      failure { try socketPath(fits + "b").prepare() }
        == "the socket's path \(fits)b has 108 bytes; 107 are the most. Name another with --folder,"
        + " --requests or --publications.")
    #expect(
      failure { try socketPath("run/x").prepare() }
        == "the socket's path run/x does not begin with /. Name another with --folder, --requests or"
        + " --publications.")
  }

  @Test("raises an alarm when its file is deleted or replaced, and is then left alone")
  func alarm() throws {
    let folder = try TestFolder()
    let context = try Context()
    let path = folder.file("s")
    var mine = try socketPath(path)
    #expect(mine.alarm == nil)
    let first = try bound(path, in: context)
    mine.didBind(isForOthers: false)
    #expect(mine.alarm == nil)
    let second = try bound(path, in: context)
    #expect(
      mine.alarm == "the socket \(path) was replaced: new clients get to another program. Find out"
        + " which, and restart the daemon.")
    mine.remove()
    #expect(FileManager.default.fileExists(atPath: path))
    unlink(path)
    #expect(
      mine.alarm
        == "the socket \(path) was deleted: clients that are attached stay, new ones cannot"
        + " come. Restart the daemon.")
    first.close()
    second.close()
  }

  @Test("is taken away at the end, and lets others in only if they are allowed")
  func removal() throws {
    let folder = try TestFolder()
    let context = try Context()
    for (isForOthers, expected) in [(false, 0o600), (true, 0o666)] {
      let path = folder.file("s")
      var mine = try socketPath(path)
      try mine.prepare()
      let socket = try bound(path, in: context)
      mine.didBind(isForOthers: isForOthers)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == expected)
      mine.remove()
      #expect(!FileManager.default.fileExists(atPath: path))
      socket.close()
    }
  }
}

@Suite("The sockets' folder")
struct SocketFolderTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("is made, the user's alone, or passable where others are allowed")
  func making() throws {
    let folder = try TestFolder()
    try SocketFolder.prepare(folder.file("a/b/own"), isForOthers: false)
    #expect(try mode(folder.file("a/b/own")) == 0o700)
    try SocketFolder.prepare(folder.file("others"), isForOthers: true)
    #expect(try mode(folder.file("others")) == 0o711)
    // Once more: it is there already.
    try SocketFolder.prepare(folder.file("others"), isForOthers: true)
  }

  @Test("is refused where others may write or nobody may come")
  func rights() throws {
    let folder = try TestFolder()
    let path = folder.file("open")
    mkdir(path, 0o700)
    chmod(path, 0o770)
    #expect(
      failure { try SocketFolder.prepare(path, isForOthers: false) }
        == "others may write in the folder \(path), and could take the sockets' place. Take that"
        + " right away: chmod go-w \(path)")
    chmod(path, 0o700)
    #expect(
      failure { try SocketFolder.prepare(path, isForOthers: true) }
        == "users are allowed by --allowed-uids, and the folder \(path) lets nobody in. Let them"
        + " through: chmod go+x \(path)")
    try SocketFolder.prepare(path, isForOthers: false)
  }

  @Test("is no file and no link")
  func noFolder() throws {
    let folder = try TestFolder()
    try folder.write("", to: "file")
    mkdir(folder.file("real"), 0o700)
    symlink(folder.file("real"), folder.file("link"))
    for name in ["file", "link"] {
      let path = folder.file(name)
      #expect(
        failure { try SocketFolder.prepare(path, isForOthers: false) }
          == "\(path) is there and is no folder. Move it away, or name another with --folder.")
    }
    let below = folder.file("file/below/it")
    #expect(
      failure { try SocketFolder.prepare(below, isForOthers: false) }
        == "the folder \(folder.file("file/below")) cannot be made: Not a directory. Name another with --folder."
    )
  }

  @Test("is nobody else's", .enabled(if: geteuid() == 0, "needs root to make another's folder"))
  func owner() throws {
    let folder = try TestFolder()
    let path = folder.file("theirs")
    mkdir(path, 0o700)
    #expect(chown(path, 65_534, 65_534) == 0)
    #expect(
      failure { try SocketFolder.prepare(path, isForOthers: false) }
        == "the folder \(path) belongs to user 65534, not to you (0). Do not use it: name a folder"
        + " of your own with --folder.")
  }
}
