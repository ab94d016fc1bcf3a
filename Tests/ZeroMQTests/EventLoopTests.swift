import Glibc
import Synchronization
import Testing

@testable import ZeroMQ

/// An actor on a loop, as the daemon's is.
private actor OnLoop {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  var notes: [String] = []

  init(_ loop: EventLoop) { self.loop = loop }

  func note(_ text: String) {
    loop.checkIsolated()
    notes.append(text)
  }

  /// Calls itself so often, with a kilobyte on the stack each time. ThreadSanitizer's own stack of calls
  /// ends at 65,536: so fewer calls, and larger ones.
  func depth(_ count: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { ballast in
      ballast[count % 1024] = 1
      return count == 0 ? 0 : Int(ballast[count % 1024]) + depth(count - 1)
    }
  }

  func run<Result: Sendable>(
    _ body: @Sendable (isolated OnLoop) throws -> Result
  ) rethrows -> Result {
    try body(self)
  }

  func hopAwayAndBack() async -> Bool {
    await Task.detached {}.value
    return loop.isOnLoop
  }

  func stopItsOwnLoop() async -> Bool {
    await loop.stop()
    return loop.isOnLoop
  }

  /// Queues a job behind itself again and again.
  func keepBusy(until isDone: @Sendable () -> Bool) async {
    while !isDone() { await Task.yield() }
  }
}

/// From outside an asynchronous context, where the compiler knows no better.
private func assume(_ actor: OnLoop) { actor.assumeIsolated { $0.note("never") } }

/// A descriptor that never runs out of what can be read.
private func alwaysReady() -> Int32 { open("/dev/zero", O_RDONLY) }

/// Runs a body with a started loop and an actor on it.
private func withLoop(_ body: (EventLoop, OnLoop) async throws -> Void) async throws {
  let loop = try EventLoop(name: "test")
  loop.start()
  do {
    try await body(loop, OnLoop(loop))
  } catch {
    await loop.stop()
    throw error
  }
  await loop.stop()
}

@Suite("An event loop", .timeLimit(.minutes(5)))
struct EventLoopTests {
  @Test("runs its actors on its own thread, also after they waited for something elsewhere")
  func isolation() async throws {
    try await withLoop { loop, actor in
      #expect(!loop.isOnLoop)
      await actor.note("a")
      #expect(await actor.hopAwayAndBack())
      #expect(await actor.notes == ["a"])
    }
  }

  @Test("is its actors' isolation in what it calls, without a job")
  func assumingIsolation() async throws {
    try await withLoop { loop, actor in
      await withCheckedContinuation { continuation in
        loop.perform {
          actor.assumeIsolated { $0.note("assumed") }
          continuation.resume()
        }
      }
      #expect(await actor.notes == ["assumed"])
    }
  }

  @Test("has a stack for more than the eight mebibytes that a thread usually has")
  func deepRecursion() async throws {
    try await withLoop { _, actor in #expect(await actor.depth(15_000) == 15_000) }
  }

  @Test("keeps the jobs that come before its start")
  func early() async throws {
    let loop = try EventLoop(name: "test")
    let actor = OnLoop(loop)
    async let noted: Void = actor.note("early")
    loop.perform { actor.assumeIsolated { $0.note("performed") } }
    loop.start()
    await noted
    #expect(await Set(actor.notes) == ["early", "performed"])
    await loop.stop()
  }

  @Test("that is never started can be stopped, and what was asked of it runs then")
  func neverStarted() async throws {
    let loop = try EventLoop(name: "test")
    let wasRun = Mutex(false)
    loop.perform { wasRun.withLock { $0 = true } }
    await loop.stop()
    #expect(wasRun.withLock { $0 })
  }

  @Test("runs what other threads perform, each thread's in its order")
  func performing() async throws {
    try await withLoop { loop, actor in
      await withTaskGroup { group in
        for thread in 0..<4 {
          group.addTask {
            for number in 0..<500 {
              loop.perform { actor.assumeIsolated { $0.note("\(thread):\(number)") } }
            }
          }
        }
      }
      let notes = await actor.notes
      for thread in 0..<4 {
        #expect(
          notes.filter { $0.hasPrefix("\(thread):") } == (0..<500).map { "\(thread):\($0)" })
      }
    }
  }

  @Test("runs everything that was queued before it stops, however busy")
  func stopWhileBusy() async throws {
    for _ in 0..<20 {
      let loop = try EventLoop(name: "test")
      loop.start()
      let count = Atomic(0)
      for _ in 0..<5000 { loop.perform { count.wrappingAdd(1, ordering: .relaxed) } }
      async let first: Void = loop.stop()
      async let second: Void = loop.stop()
      _ = await (first, second)
      #expect(count.load(ordering: .relaxed) == 5000)
      await loop.stop()
    }
  }

  @Test("can be stopped by its own actor, and runs what comes late")
  func stopByItself() async throws {
    let loop = try EventLoop(name: "test")
    loop.start()
    let actor = OnLoop(loop)
    #expect(await actor.stopItsOwnLoop())
    for number in 0..<100 { await actor.note("late \(number)") }
    #expect(await actor.notes == (0..<100).map { "late \($0)" })
    #expect(await actor.hopAwayAndBack())
  }

  @Test("lets go of what it watched when it stops")
  func releasing() async throws {
    weak var gone: OnLoop?
    let loop = try EventLoop(name: "test")
    do {
      let actor = OnLoop(loop)
      gone = actor
      let descriptor = alwaysReady()
      _ = loop.watch(descriptor: descriptor) { _ = actor }
      _ = loop.schedule(at: .max) { _ = actor }
      loop.afterTurn = { _ = actor }
      loop.start()
      await actor.note("alive")
      await loop.stop()
      close(descriptor)
    }
    #expect(gone == nil)
  }

  @Test("calls again while a socket has messages, one a call or all")
  func levelTriggered() async throws {
    let context = try Context()
    let scratch = try Scratch()
    let endpoint = scratch.ipc("s")
    let (received, continuation) = AsyncStream.makeStream(of: Int.self)
    let loop = try EventLoop(name: "test")
    let box = Box(try Socket(.pull, in: context))
    try box.socket.bind(endpoint)
    _ = loop.watch(box.socket) {
      // Not drained: the rest must bring the loop back although no descriptor tells.
      if let message = try? box.socket.receive() {
        continuation.yield(Int(message.frames[0][0]))
      }
    }
    loop.start()
    let sender = try Socket(.push, in: context)
    try sender.connect(endpoint)
    for number in 0..<200 {
      let isSent = try eventually([sender.core]) { try sender.send([UInt8(number)]) == .sent }
      #expect(isSent)
    }
    var numbers: [Int] = []
    for await number in received {
      numbers.append(number)
      if numbers.count == 200 { break }
    }
    #expect(numbers == Array(0..<200))
    await loop.stop()
  }

  @Test("does not call what an earlier call of the same turn removed")
  func removedInTheTurn() async throws {
    try await withLoop { loop, actor in
      let first = alwaysReady()
      let second = alwaysReady()
      await withCheckedContinuation { continuation in
        loop.perform {
          var tokens: [EventLoop.WatchToken] = []
          let removeBoth = { (name: String) in
            actor.assumeIsolated { $0.note(name) }
            for token in tokens { loop.unwatch(token) }
            continuation.resume()
          }
          tokens.append(loop.watch(descriptor: first) { removeBoth("first") })
          tokens.append(loop.watch(descriptor: second) { removeBoth("second") })
        }
      }
      await actor.note("after")
      #expect(await actor.notes == ["first", "after"])
      close(first)
      close(second)
    }
  }

  @Test("forgets a socket that is closed, also in the turn in which it was found ready")
  func closedInTheTurn() async throws {
    let context = try Context()
    let scratch = try Scratch()
    let endpoint = scratch.ipc("s")
    try await withLoop { loop, actor in
      let box = Box(try Socket(.pull, in: context))
      try box.socket.bind(endpoint)
      let sender = try Socket(.push, in: context)
      try sender.connect(endpoint)
      _ = try eventually([sender.core]) { try sender.send([1]) == .sent }
      _ = try eventually([box.socket.core]) { box.socket.events.contains(.readable) }
      let wakeUp = alwaysReady()
      await withCheckedContinuation { continuation in
        // In one job: between two the loop may turn, and close the socket before it is watched.
        loop.perform {
          var token: EventLoop.WatchToken?
          token = loop.watch(descriptor: wakeUp) {
            actor.assumeIsolated { $0.note("descriptor") }
            box.close()
            if let token { loop.unwatch(token) }
            continuation.resume()
          }
          _ = loop.watch(box.socket) { actor.assumeIsolated { $0.note("socket") } }
        }
      }
      await actor.note("after")
      let notes = await actor.notes
      #expect(notes.last == "after")
      // Level-triggered and never read, it was called each turn until it was closed, never after.
      #expect(notes.firstIndex(of: "descriptor") == notes.count - 2)
      close(wakeUp)
    }
  }

  @Test("serves a socket while jobs never end, and jobs while a socket never does")
  func noStarving() async throws {
    try await withLoop { loop, actor in
      let isDone = Atomic(false)
      async let busy: Void = actor.keepBusy { isDone.load(ordering: .relaxed) }
      let ready = alwaysReady()
      let calls = Atomic(0)
      await withCheckedContinuation { continuation in
        loop.perform {
          _ = loop.watch(descriptor: ready) {
            if calls.wrappingAdd(1, ordering: .relaxed).newValue == 100 { continuation.resume() }
          }
        }
      }
      await actor.note("a job among them")
      isDone.store(true, ordering: .relaxed)
      await busy
      #expect(await actor.notes == ["a job among them"])
    }
  }

  @Test("ends each turn with afterTurn: after sockets, jobs and timers")
  func afterTurn() async throws {
    let loop = try EventLoop(name: "test")
    let actor = OnLoop(loop)
    let ready = alwaysReady()
    let note = { (text: String) in actor.assumeIsolated { $0.note(text) } }
    _ = loop.schedule(at: 0) { note("timer") }
    var token: EventLoop.WatchToken?
    token = loop.watch(descriptor: ready) {
      note("socket")
      if let token { loop.unwatch(token) }
    }
    loop.perform { actor.assumeIsolated { $0.note("job") } }
    loop.afterTurn = {
      note("end")
      loop.afterTurn = nil
    }
    loop.start()
    await actor.note("next")
    await loop.stop()
    #expect(await Array(actor.notes.prefix(2)) == ["socket", "job"])
    #expect(await actor.notes.contains("timer"))
    #expect(await actor.notes.firstIndex(of: "end") ?? 0 >= 3)
    close(ready)
  }

  @Test("calls for a descriptor whose other end hung up")
  func hangUp() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let reading = ends[0]
    let writing = ends[1]
    try await withLoop { loop, _ in
      let count = await withCheckedContinuation { continuation in
        loop.perform {
          var token: EventLoop.WatchToken?
          token = loop.watch(descriptor: reading) {
            var byte: UInt8 = 0
            if let token { loop.unwatch(token) }
            continuation.resume(returning: read(reading, &byte, 1))
          }
          close(writing)
        }
      }
      #expect(count == 0)
    }
    close(reading)
  }

  @Test("goes on with its jobs when the context was shut down under its sockets")
  func contextEnds() async throws {
    let context = try Context()
    let scratch = try Scratch()
    let endpoint = scratch.ipc("s")
    try await withLoop { loop, actor in
      let box = Box(try Socket(.router, in: context))
      try box.socket.bind(endpoint)
      loop.perform { _ = loop.watch(box.socket) { actor.assumeIsolated { $0.note("ready") } } }
      await actor.note("before")
      context.shutdown()
      await actor.note("after")
      #expect(await actor.notes == ["before", "after"])
      await actor.run { _ in box.close() }
      context.terminate()
    }
  }

  @Test("traps where it is misused, in words")
  func misuse() async {
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = try EventLoop(name: "twice")
      loop.start()
      loop.start()
    }
    expectOutput(of: twice, "EventLoop twice was started twice, or after its end")
    let off = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = try EventLoop(name: "other")
      loop.start()
      _ = loop.schedule(at: 0) {}
    }
    expectOutput(of: off, "EventLoop.schedule off the event loop other: only its own thread may")
    let isolation = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      assume(OnLoop(try EventLoop(name: "mine")))
    }
    expectOutput(of: isolation, "Incorrect actor executor assumption")
    let watched = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = try EventLoop(name: "watching")
      let socket = try Socket(.router, in: try Context())
      _ = loop.watch(socket) {}
      _ = loop.watch(socket) {}
    }
    expectOutput(of: watched, "a router socket is watched twice by its loop")
  }
}

/// A socket that several closures of a test share. Handed from the test to the loop's thread and
/// back, never used by both at once.
final class Box: @unchecked Sendable {
  var socket: Socket
  init(_ socket: consuming Socket) { self.socket = socket }
  func close() { socket.core.close() }
}
