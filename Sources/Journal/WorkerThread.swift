internal import Glibc

/// A thread whose end can be waited for.
///
/// The journal blocks (fsync), so that it must not take a thread of Swift's pool.
final class WorkerThread: Sendable {
  private let thread: pthread_t

  /// Starts `body` on a new thread; `name` is for the message when there can be none.
  ///
  /// - Parameter stackBytes: nil for the system's default.
  init(
    name: String, stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(JournalError) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
    let result = pthread_create(
      &thread, &attributes,
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

  /// Nobody will wait for its end: what it holds is given back then. To be called once.
  func detach() { pthread_detach(thread) }

  /// Waits for the end of the thread; to be called once, unless it is detached.
  func join() { pthread_join(thread, nil) }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
