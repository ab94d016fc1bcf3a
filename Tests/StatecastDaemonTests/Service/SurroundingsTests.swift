import Foundation
import Testing

@testable import StatecastDaemon

@Suite("The limit of open files")
struct FileLimitTests {
  @Test("is the hard one after the start")
  func raising() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 1100, rlim_max: 1200)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let files = try FileLimit.raise()
      guard files.files == 1200, files.connectionsPerSocket == 300 else { exit(1) }
    }
  }

  @Test("is refused below 1,024, with what to do")
  func tooFew() async {
    let result = await #expect(processExitsWith: .exitCode(9), observing: [\.standardOutputContent])
    {
      var limit = rlimit(rlim_cur: 500, rlim_max: 500)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      do throws(HostFailure) {
        _ = try FileLimit.raise()
      } catch {
        print(error)
        exit(9)
      }
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(
      output.contains(
        "this process may open 500 files, and a daemon needs 1024 for its connections. Raise the hard"
          + " limit: `ulimit -Hn 1024`, or LimitNOFILE=1024 in its unit."))
  }
}

@Suite("Signals")
struct SignalWatchTests {
  @Test("are read, not handled; a broken pipe ends nothing")
  func reading() async {
    await #expect(processExitsWith: .success) {
      let signals = try SignalWatch()
      guard signals.next() == nil else { exit(1) }
      // Delivered to whichever thread: waited for.
      func next() -> SignalWatch.Signal? {
        var item = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&item, 1, 10_000) < 0, errno == EINTR {}
        return signals.next()
      }
      kill(getpid(), SIGHUP)
      guard next() == .reopen, signals.next() == nil else { exit(2) }
      kill(getpid(), SIGTERM)
      guard next() == .stop else { exit(3) }
      kill(getpid(), SIGINT)
      guard next() == .stop, signals.next() == nil else { exit(4) }
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      guard write(ends[1], "x", 1) == -1, errno == EPIPE else { exit(5) }
    }
  }
}

@Suite("The service manager")
struct ServiceNotifierTests {
  @Test("hears how far the daemon is")
  func notifying() async {
    await #expect(processExitsWith: .success) {
      let path = "/tmp/scd-notify-\(getpid())"
      let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      defer { unlink(path) }
      guard isBound else { exit(1) }
      setenv("NOTIFY_SOCKET", path, 1)
      setenv("WATCHDOG_USEC", "30000000", 1)
      setenv("WATCHDOG_PID", String(getpid()), 1)
      func heard() -> String {
        var buffer = [UInt8](repeating: 0, count: 1000)
        let count = recv(receiver, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
      }
      let notifier = ServiceNotifier(
        environment: ProcessInfo.processInfo.environment, readyDescriptor: 1)
      guard notifier.isManaged, notifier.watchdog == .seconds(15) else { exit(2) }
      notifier.extendTimeout(.milliseconds(2500))
      guard heard() == "EXTEND_TIMEOUT_USEC=2500000" else { exit(3) }
      notifier.status("recovering\nREADY=1")
      guard heard() == "STATUS=recovering READY=1" else { exit(4) }
      notifier.ready("commit 7")
      guard heard() == "READY=1\nSTATUS=commit 7\nMAINPID=\(getpid())" else { exit(5) }
      notifier.alive()
      guard heard() == "WATCHDOG=1" else { exit(6) }
      notifier.stopping()
      guard heard() == "STOPPING=1" else { exit(7) }
    }
  }

  @Test("is replaced by a ready line where there is none")
  func readyLine() throws {
    let folder = try TestFolder()
    let descriptor = creat(folder.file("ready"), 0o600)
    let notifier = ServiceNotifier(environment: [:], readyDescriptor: descriptor)
    #expect(!notifier.isManaged)
    notifier.extendTimeout(.seconds(1))
    notifier.status("recovering")
    notifier.ready("commit 7,\n2 sessions")
    notifier.stopping()
    close(descriptor)
    #expect(try folder.read("ready") == "ready: commit 7, 2 sessions\n")
  }
}
