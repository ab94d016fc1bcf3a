import Synchronization
import Testing

@testable import Journal

/// What takes long is done one thing after another, beside everything else.
@Suite("The background's thread")
struct BackgroundThreadTests {
  /// What was done, by whom, and how much of it at a time.
  private final class Record: Sendable {
    struct Content {
      var done: [[Int]] = [[], [], []]
      var atOnce = 0
      var mostAtOnce = 0
    }
    let content = Mutex(Content())

    func note(_ number: Int, of sender: Int) {
      content.withLock { content in
        content.atOnce += 1
        content.mostAtOnce = max(content.mostAtOnce, content.atOnce)
      }
      content.withLock { content in
        content.done[sender].append(number)
        content.atOnce -= 1
      }
    }
  }

  @Test("Things are done in their order, one at a time, also when they come from several threads")
  func order() async throws {
    let background = BackgroundThread()
    let record = Record()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<3 {
        group.addTask {
          for number in 0..<200 { try background.run { record.note(number, of: sender) } }
          try await Self.wait(for: background)
        }
      }
      try await group.waitForAll()
    }
    let content = record.content.withLock { $0 }
    #expect(content.done == Array(repeating: Array(0..<200), count: 3))
    #expect(content.mostAtOnce == 1)
  }

  @Test("What is asked for when it has come to rest is done all the same")
  func again() async throws {
    let background = BackgroundThread()
    for _ in 0..<20 { try await Self.wait(for: background) }
  }

  /// Until all is done that was asked for before.
  private static func wait(for background: BackgroundThread) async throws {
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      do { try background.run { ended.resume() } } catch { ended.resume(throwing: error) }
    }
  }
}
