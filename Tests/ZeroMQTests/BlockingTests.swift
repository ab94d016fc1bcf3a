import Glibc
import Synchronization
import Testing

@testable import ZeroMQ

@Suite("What may block, on an event loop", .timeLimit(.minutes(1)))
struct BlockingTests {
  /// Something that a thread waits for, and another gives.
  final class Gate: Sendable {
    private let ends: (exit: Int32, entrance: Int32)

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      self.ends = (ends[0], ends[1])
    }

    deinit {
      close(ends.exit)
      close(ends.entrance)
    }

    func open() {
      var byte: UInt8 = 1
      _ = write(ends.entrance, &byte, 1)
    }

    func pass() {
      var byte: UInt8 = 0
      while read(ends.exit, &byte, 1) < 0, errno == EINTR {}
    }
  }

  /// A loop that somebody would go on with.
  func securedLoop() async throws -> EventLoop {
    let loop = try EventLoop(name: "blocking")
    loop.start()
    await begin(on: loop) {}
    return loop
  }

  /// Tries until it is taken: the first try makes the second thread, and is told that there is none
  /// yet; a later one may come before the one before is done.
  func begin(on loop: EventLoop, _ body: @escaping @Sendable () -> Void) async {
    while await !isTaken(by: loop, body) {}
  }

  func isTaken(by loop: EventLoop, _ body: @escaping @Sendable () -> Void) async -> Bool {
    await withCheckedContinuation { answer in
      loop.perform { answer.resume(returning: loop.block(body)) }
    }
  }

  func turn(of loop: EventLoop) async -> UInt {
    await withCheckedContinuation { answer in
      loop.perform {
        precondition(loop.isOnLoop)
        answer.resume(returning: UInt(pthread_self()))
      }
    }
  }

  @Test("is done on the loop's own thread where it is quick, and what it says comes next")
  func quick() async throws {
    let loop = try await securedLoop()
    let own = await turn(of: loop)
    for _ in 0..<100 {
      let told = AsyncStream.makeStream(of: UInt.self)
      await begin(on: loop) {
        let thread = UInt(pthread_self())
        loop.perform { told.continuation.yield(loop.isOnLoop ? thread : 0) }
      }
      var answers = told.stream.makeAsyncIterator()
      #expect(await answers.next() == own)
    }
    await loop.stop()
  }

  @Test("holds up nothing where it takes long: another thread is the loop then, time after time")
  func slow() async throws {
    let loop = try await securedLoop()
    var threads: [UInt] = []
    for _ in 0..<5 {
      let gate = try Gate()
      let begun = AsyncStream.makeStream(of: Void.self)
      let told = AsyncStream.makeStream(of: UInt.self)
      await begin(on: loop) {
        begun.continuation.yield()
        gate.pass()
        loop.perform { told.continuation.yield(UInt(pthread_self())) }
      }
      var beginnings = begun.stream.makeAsyncIterator()
      await beginnings.next()
      // Only another thread can run this: the one before waits at the gate.
      threads.append(await turn(of: loop))
      // Nobody would go on if this one were blocked as well.
      #expect(await !isTaken(by: loop) {})
      gate.open()
      var answers = told.stream.makeAsyncIterator()
      // What comes back late is told to the loop where it is now.
      #expect(await answers.next() == threads.last)
    }
    #expect(Set(threads).count == 2)
    for (one, next) in zip(threads, threads.dropFirst()) { #expect(one != next) }
    await loop.stop()
  }

  @Test("is finished before the loop has ended, wherever it is done")
  func end() async throws {
    let loop = try await securedLoop()
    let gate = try Gate()
    let isDone = Mutex(false)
    await begin(on: loop) {
      gate.pass()
      isDone.withLock { $0 = true }
    }
    _ = await turn(of: loop)
    loop.perform { gate.open() }
    await loop.stop()
    #expect(isDone.withLock { $0 })
  }

  @Test("timers go on meanwhile")
  func timers() async throws {
    let loop = try await securedLoop()
    let gate = try Gate()
    let passed = AsyncStream.makeStream(of: Void.self)
    await begin(on: loop) {
      loop.perform {
        // It would wait for ever for a timer of the loop that it blocks.
        _ = loop.schedule(at: EventLoop.monotonicNow()) { gate.open() }
      }
      gate.pass()
      passed.continuation.yield()
    }
    var passes = passed.stream.makeAsyncIterator()
    await passes.next()
    await loop.stop()
  }
}
