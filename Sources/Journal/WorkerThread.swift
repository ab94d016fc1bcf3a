internal import Glibc

/// A thread whose end can be waited for.
///
/// The journal blocks (fsync), so that it must not take a thread of Swift's pool.
final class WorkerThread: Sendable {
  private let thread: pthread_t

  /// Starts `body` on a new thread; `name` is for the message when there can be none.
  init(name: String, _ body: @escaping @Sendable () -> Void) throws(JournalError) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      errno = result
      throw JournalFile.failure("start a thread", name)
    }
    self.thread = thread
  }

  /// Waits for the end of the thread; to be called once.
  func join() { pthread_join(thread, nil) }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
