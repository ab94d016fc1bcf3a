import Glibc
import Testing

@testable import ZeroMQ

/// What a loop's set of watches finds, asked without a loop.
@Suite("A poll set")
struct PollSetTests {
  /// A pipe: its reading end is ready from the first byte that is written on.
  private final class Pipe {
    private var ends: [Int32] = [-1, -1]

    init() { #expect(pipe(&ends) == 0) }

    deinit { for end in ends { close(end) } }

    var descriptor: Int32 { ends[0] }

    func raise() {
      var byte: UInt8 = 1
      #expect(write(ends[1], &byte, 1) == 1)
    }

    func calm() {
      var byte: UInt8 = 0
      #expect(read(ends[0], &byte, 1) == 1)
    }
  }

  /// A set with a wake-up of its own, and whom it called.
  private final class Bench {
    let wakeUp = Pipe()
    let polls: PollSet
    var called: [Int] = []

    init() { polls = PollSet(wakeUp: wakeUp.descriptor) }

    @discardableResult
    func watch(_ descriptor: Int32, as name: Int) -> UInt64 {
      polls.add(descriptor: descriptor, .readable) { [unowned self] in called.append(name) }
    }

    /// One turn, and who was called in it.
    func turn() -> [Int] {
      called = []
      _ = polls.askTouched()
      _ = polls.wait(nanoseconds: 0)
      _ = polls.callReady()
      return called
    }
  }

  @Test("calls those that are ready and no others, in the order in which they were watched")
  func order() throws {
    let bench = Bench()
    let pipes = (0..<300).map { _ in Pipe() }
    for (name, pipe) in pipes.enumerated() { bench.watch(pipe.descriptor, as: name) }
    #expect(bench.turn().isEmpty)
    for name in [299, 7, 100] { pipes[name].raise() }
    #expect(bench.turn() == [7, 100, 299])
    // Still ready: again.
    #expect(bench.turn() == [7, 100, 299])
    for pipe in pipes { pipe.raise() }
    #expect(bench.turn() == Array(0..<300))
  }

  @Test("calls all that watch one descriptor, and goes on with the others when one is removed")
  func twice() throws {
    let bench = Bench()
    let pipe = Pipe()
    let first = bench.watch(pipe.descriptor, as: 1)
    let second = bench.watch(pipe.descriptor, as: 2)
    bench.watch(pipe.descriptor, as: 3)
    pipe.raise()
    #expect(bench.turn() == [1, 2, 3])
    bench.polls.remove(second)
    #expect(bench.turn() == [1, 3])
    bench.polls.remove(first)
    #expect(bench.turn() == [3])
  }

  @Test("finds a file ready always, as poll does, until it is removed")
  func file() throws {
    let scratch = try Scratch()
    let file = open(scratch.path("file"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let bench = Bench()
    let pipe = Pipe()
    let watch = bench.watch(file, as: 1)
    bench.watch(pipe.descriptor, as: 2)
    #expect(bench.turn() == [1])
    pipe.raise()
    #expect(Set(bench.turn()) == [1, 2])
    bench.polls.remove(watch)
    #expect(bench.turn() == [2])
  }

  @Test("tells the loop's own descriptor from what is watched")
  func wakeUp() throws {
    let bench = Bench()
    let pipe = Pipe()
    bench.watch(pipe.descriptor, as: 1)
    #expect(!bench.polls.askTouched())
    #expect(bench.polls.wait(nanoseconds: 0) == .nothing)
    #expect(bench.polls.isQuiet)
    bench.wakeUp.raise()
    #expect(bench.polls.wait(nanoseconds: 0) == .wakeUp)
    #expect(bench.polls.isQuiet)
    pipe.raise()
    #expect(!bench.polls.isQuiet)
    #expect(bench.polls.wait(nanoseconds: 0) == .wakeUp)
    bench.wakeUp.calm()
    #expect(bench.polls.wait(nanoseconds: 0) == .watched)
  }
}
