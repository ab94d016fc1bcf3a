import Composable
import Synchronization

/// What effects have delivered, to be awaited one by one.
final class Inbox<Action: Sendable>: Sendable {
  private let stream: AsyncStream<(action: Action, cause: UInt64)>
  private let continuation: AsyncStream<(action: Action, cause: UInt64)>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func put(_ action: Action, _ cause: UInt64) { continuation.yield((action, cause)) }

  /// The next action.
  func next() async -> Action? { await nextWithCause()?.action }

  /// The next action, and the commit whose effect sent it.
  func nextWithCause() async -> (action: Action, cause: UInt64)? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }

  /// Everything that comes until the end.
  func rest() async -> [Action] {
    continuation.finish()
    var all: [Action] = []
    for await item in stream { all.append(item.action) }
    return all
  }
}

/// A list that effects and observers on any thread write into.
final class Log<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])

  var all: [Entry] { entries.withLock { $0 } }
  func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}

/// A door that stays shut until a test opens it.
final class Gate: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.yield() }

  /// Waits until the gate is opened, once for each opening; throws when cancelled meanwhile.
  func pass() async throws {
    var iterator = stream.makeAsyncIterator()
    _ = await iterator.next()
    try Task.checkCancellation()
  }
}
