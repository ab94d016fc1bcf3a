internal import CZeroMQ
internal import Synchronization

/// One thread with a large known stack that polls sockets and runs actors: a `SerialExecutor`.
///
/// Actors that touch sockets hold it strongly and run on it. Woken by one eventfd.
package final class EventLoop: SerialExecutor, Sendable {
  private let queue = Mutex<[UnownedJob]>([])

  package init(name: String, stackBytes: Int = 256 << 20) throws(ZeroMQError) {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.withLock { $0.append(job) }
  }
}
