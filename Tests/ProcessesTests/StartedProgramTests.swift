import Foundation
import Processes
import Testing

@Suite("A started program")
struct StartedProgramTests {
  private static func shell(
    _ line: String, _ change: (inout ProgramPlan) -> Void = { _ in }
  ) throws -> StartedProgram {
    try StartedProgram(ProgramPlan("/bin/sh", ["-c", line]).with(change))
  }

  @Test(
    "ends with its exit code, or by its signal",
    arguments: [
      ("exit 0", StartedProgram.Ending.exited(0)), ("exit 7", .exited(7)),
      ("kill -TERM $$", .signalled(SIGTERM)), ("kill -PIPE $$", .signalled(SIGPIPE)),
    ])
  func ending(line: String, ending: StartedProgram.Ending) async throws {
    let program = try Self.shell(line)
    #expect(await program.wait() == ending)
    #expect(program.ending == ending)
    #expect(program.waitBlocking() == ending)
  }

  @Test("is heard of although a child of its own lives on, with everything that it inherited")
  func grandchild() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let program = try Self.shell("sleep 600 & echo $!; exit 3") { $0.output = ends[1] }
    close(ends[1])
    #expect(await program.wait() == .exited(3))
    let heard = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let number = try #require(String(data: heard.availableData, encoding: .utf8))
    let grandchild = try #require(Int32(number.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(grandchild, SIGKILL) == 0)
  }

  @Test("is heard of in every one of 300 runs, sixteen at a time")
  func many() async throws {
    try await withThrowingTaskGroup(of: StartedProgram.Ending.self) { group in
      for number in 0..<300 {
        if number >= 16 { #expect(try await group.next() == .exited(5)) }
        group.addTask { try await Self.shell("exit 5").wait() }
      }
      try await group.waitForAll()
    }
  }

  @Test("is waited for by a process that did not start it, for so long at most")
  func watched() async throws {
    let program = try Self.shell("exec sleep 600")
    let other = try #require(OtherProcess(program.pid))
    #expect(!other.ends(within: .zero))
    program.signal(SIGKILL)
    #expect(other.ends(within: .seconds(60)))
    _ = await program.wait()
    #expect(OtherProcess(program.pid) == nil)
  }

  @Test("takes no signal after its end")
  func lateSignal() async throws {
    let program = try Self.shell("exit 0")
    _ = await program.wait()
    // It is reaped: its number may be anybody's.
    #expect(kill(program.pid, 0) != 0)
    program.signal(SIGKILL)
    #expect(program.ending == .exited(0))
  }

  @Test("has the descriptors that it is given, whatever their numbers are here, and no others")
  func descriptors() async throws {
    let path = "/tmp/statecast-program-\(UInt32.random(in: .min ... .max))"
    defer { unlink(path) }
    // Without close-on-exec, as a careless library leaves it.
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    let careless = dup(file)
    defer {
      close(file)
      close(careless)
    }
    let program = try Self.shell("echo out; echo error >&2; ls /proc/self/fd; cat") {
      $0.output = file
      $0.error = file
    }
    #expect(await program.wait() == .exited(0))
    // The last is the folder that `ls` reads.
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "out\nerror\n0\n1\n2\n3\n")
  }

  @Test("has the environment and arguments that it is given")
  func words() async throws {
    let program = try StartedProgram(
      ProgramPlan(
        "/bin/sh", ["-c", "test \"$1\" = 'a b' && test \"$X\" = 'é=1' && exit 4", "sh", "a b"]
      )
      .with { $0.environment = ["X": "é=1"] })
    #expect(await program.wait() == .exited(4))
  }

  @Test("that does not exist, or is none, is told with the system's word")
  func failures() {
    #expect(throws: ProgramFailure(executable: "/nowhere/x", code: ENOENT)) {
      try StartedProgram(ProgramPlan("/nowhere/x"))
    }
    let failure = #expect(throws: ProgramFailure.self) {
      try StartedProgram(ProgramPlan("/etc/passwd"))
    }
    #expect(failure?.description == "/etc/passwd cannot be started: Permission denied")
  }

  @Test("leads a session of its own where it is asked to")
  func session() async throws {
    let line = "test \"$(ps -o sid= -p $$ | tr -d ' ')\" = $$"
    #expect(try await Self.shell(line) { $0.hasOwnSession = true }.wait() == .exited(0))
    #expect(try await Self.shell(line).wait() == .exited(1))
  }

  @Test("ends with the process that started it, where it is asked to, however that ends")
  func parentKilled() async throws {
    let path = "/tmp/statecast-program-\(UInt32.random(in: .min ... .max))"
    defer { unlink(path) }
    try #require(mkfifo(path, 0o600) == 0)
    let heard = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(heard) }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let held = open(path, O_WRONLY | O_CLOEXEC)
      _ = try StartedProgram(
        ProgramPlan("/bin/sleep", ["600"]).with {
          $0.output = held
          $0.endsWithParent = true
        })
      kill(getpid(), SIGKILL)
    }
    // Nobody holds the other end any more.
    var item = pollfd(fd: heard, events: Int16(POLLIN), revents: 0)
    #expect(poll(&item, 1, 20_000) == 1)
    #expect(Int32(item.revents) & POLLHUP != 0)
  }
}
