import Foundation
import Journal
import StatecastDaemon
import ZeroMQ

/// A server in a process of its own, until SIGTERM: ours, or the floor's.
enum Serve {
  /// Serves the bench app.
  static func ours(folder: String, durable: Bool) async throws {
    let stop = Signals.terminate
    let host = try await DaemonHost(
      BenchDaemon(),
      settings: HostSettings(
        endpoints: DaemonEndpoints(folder: folder),
        storage: durable
          ? .journal(folder: folder + "/journal", options: JournalOptions()) : .memory)
    ) { print("bench server: \($0)") }
    for await _ in stop { break }
    await host.stop("the benchmark is over")
    _ = await host.waitUntilStopped()
  }
}

/// SIGTERM as a sequence.
enum Signals {
  static var terminate: AsyncStream<Void> {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    return AsyncStream { continuation in
      Thread.detachNewThread {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        var signal: Int32 = 0
        sigwait(&set, &signal)
        continuation.yield()
        continuation.finish()
      }
    }
  }
}
