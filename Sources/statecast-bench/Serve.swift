import Foundation
import Journal
import StatecastDaemon
import ZeroMQ

/// A server in a process of its own, until SIGTERM: ours, or the floor's.
enum Serve {
  /// Serves the bench app.
  static func ours(folder: String, durable: Bool) async throws {
    let stop = Signals.sequence(of: SIGTERM)
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

/// The first arrival of a signal, as a sequence; asked for before there are other threads.
enum Signals {
  static func sequence(of number: Int32) -> AsyncStream<Void> {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    return AsyncStream { continuation in
      Thread.detachNewThread {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        var signal: Int32 = 0
        sigwait(&set, &signal)
        continuation.yield()
        continuation.finish()
      }
    }
  }
}
