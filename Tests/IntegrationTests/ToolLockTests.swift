import Foundation
import StatecastTesting
import Testing

@testable import statecast

extension Spawned {
  /// A daemon without its sockets went on for ever, and nothing said how it is ended.
  @Suite("statecast: a daemon that runs and cannot be reached")
  struct ToolLockTests {
    @Test(
      "When its sockets were removed, its process is named, and what ends it",
      arguments: ["get", "status", "stop", "send"])
    func socketsRemoved(command: String) async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      for name in ["requests", "publications"] {
        try FileManager.default.removeItem(atPath: folder.file(name))
      }
      let words = [command, "counter"].prefix(["get", "send"].contains(command) ? 2 : 1)
      let pid = daemon.process.pid
      let run = try await Workshop.finish(
        Workshop.tool, words + ["--folder", folder.path], in: folder)
      #expect(run.ending == .exited(3))
      #expect(
        run.errors == """
          Error: no daemon answers at ipc://\(folder.path)/requests
          Try: A daemon runs there, process \(pid), and does not listen: while it reads a large \
          journal it will before long (its log says "ready"); if its sockets were removed, end it \
          with `kill \(pid)`, and start it again.

          """)
      // A second daemon says the same.
      let second = try await Workshop.finish(
        Workshop.daemon, ["--folder", folder.path, "--mode", "memory"], in: folder)
      #expect(second.errors.contains("(`kill \(pid)` if that finds none)"), "\(second.errors)")
      #expect(await daemon.process.terminate() == .exited(0))
      let gone = try await Workshop.finish(
        Workshop.tool, words + ["--folder", folder.path], in: folder)
      #expect(!gone.errors.contains("kill"), "\(gone.errors)")
    }

    @Test("A daemon that is there and does not answer is named, too, within the time given")
    func silent() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      daemon.process.signal(SIGSTOP)
      let run = try await Workshop.finish(
        Workshop.tool, ["get", "counter", "--folder", folder.path, "--timeout", "0.5"], in: folder)
      daemon.process.signal(SIGCONT)
      #expect(run.ending == .exited(3))
      #expect(
        run.errors.hasSuffix(
          "Try: Its process is \(daemon.process.pid), and does not answer: look at its log; "
            + "`kill \(daemon.process.pid)` ends it.\n"), "\(run.errors)")
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("The holder of a lock is read from the kernel's list: no waiter, no other file")
    func list() {
      let locks = """
        1: POSIX  ADVISORY  WRITE 11 fe:00:77 1073741824 1073742335
        2: FLOCK  ADVISORY  WRITE 12 fe:00:76 0 EOF
        3: FLOCK  ADVISORY  READ 13 fe:00:77 0 EOF
        3: -> FLOCK  ADVISORY  WRITE 14 fe:00:77 0 EOF
        4: FLOCK  ADVISORY  WRITE 15 fe:00:77 0 EOF
        """
      #expect(DaemonLock.holder(ofInode: 77, locks: locks) == 15)
      #expect(DaemonLock.holder(ofInode: 78, locks: locks) == nil)
      #expect(DaemonLock.holder(ofInode: 77, locks: "") == nil)
    }
  }
}
