import Glibc
import Synchronization
import Testing

@testable import ZeroMQ

/// An actor on a loop, as the daemon's is.
private actor OnLoop {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private(set) var calls: [String] = []

  init(_ loop: EventLoop) { self.loop = loop }

  func note(_ call: String) {
    loop.checkIsolated()
    calls.append(call)
  }

  func depth(_ count: Int) -> Int { count == 0 ? 0 : 1 + depth(count - 1) }

  func run<Result: Sendable>(_ body: sending (isolated OnLoop) throws -> Result) rethrows -> Result
  {
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
}

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

@Suite("An event loop")
struct EventLoopTests {
  @Test("runs its actors on its own thread, also after they waited for something elsewhere")
  func isolation() async throws {
    try await withLoop { loop, actor in
      #expect(!loop.isOnLoop)
      await actor.note("a")
      #expect(await actor.hopAwayAndBack())
      #expect(await actor.calls == ["a"])
    }
  }

  @Test("has a stack for 100,000 calls within each other")
  func deepRecursion() async throws {
    try await withLoop { _, actor in #expect(await actor.depth(100_000) == 100_000) }
  }

  @Test("runs timers in the order of time, then of asking, and no cancelled one")
  func timerOrder() async throws {
    try await withLoop { loop, actor in
      let order = await withCheckedContinuation { continuation in
        loop.perform {
          let now = EventLoop.monotonicNow()
          var order: [Int] = []
          _ = loop.schedule(at: now + 3_000_000) { continuation.resume(returning: order) }
          _ = loop.schedule(at: now + 2_000_000) { order.append(3) }
          let cancelled = loop.schedule(at: now + 1_500_000) { order.append(-1) }
          _ = loop.schedule(at: now + 1_000_000) { order.append(1) }
          _ = loop.schedule(at: now + 1_000_000) { order.append(2) }
          loop.cancel(cancelled)
        }
      }
      #expect(order == [1, 2, 3])
    }
  }
}
