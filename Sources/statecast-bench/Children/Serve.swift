import CFloor
import Foundation
import Journal
import StateModel
import StatecastDaemon
import SyncProtocol
import ZeroMQ

/// A server in a process of its own, until SIGTERM.
enum Serve {
  /// Serves the bench app.
  static func ours(folder: String, durable: Bool) async throws {
    try await serve(
      BenchDaemon(), folder: folder, durable: durable, until: Signals.sequence(of: SIGTERM))
  }

  /// Serves the load app, and tells of its loop's pauses: `between FROM TO` is answered with the
  /// longest, and the longest that was the thread's own work, in nanoseconds.
  static func load(folder: String, megabytes: Double, durable: Bool) async throws {
    let stop = Signals.sequence(of: SIGTERM)
    let watch = LoopWatch()
    let asked = Task {
      for await words in Parent.commands() where words.first == "between" && words.count == 3 {
        let found = watch.longest(from: Int64(words[1]) ?? 0, to: Int64(words[2]) ?? 0)
        Parent.tell("pause \(found.length) \(found.busy)")
      }
    }
    try await serve(
      LoadDaemon(megabytes: megabytes), folder: folder, durable: durable, until: stop
    ) { watch.begin(on: $0) }
    asked.cancel()
  }

  /// Serves the bytes of a large state to whoever asks, on libzmq alone.
  static func bytes(folder: String, megabytes: Double) throws {
    let bytes = Load.State.ofSize(megabytes).encoded()
    Parent.tell("serving")
    guard floor_serve_bytes("ipc://\(folder)/requests", bytes, bytes.count) == 0 else {
      throw BenchFailure("the floor's server failed")
    }
  }

  /// The floor.
  static func floor(folder: String, durable: Bool) throws {
    Parent.tell("serving")
    let file = durable ? folder + "/floor.log" : nil
    guard
      floor_serve("ipc://\(folder)/requests", "ipc://\(folder)/publications", file) == 0
    else { throw BenchFailure("the floor's server failed") }
  }

  /// Answers what comes over NATS.
  static func nats(port: String) throws {
    Parent.tell("serving")
    guard nats_respond(Int32(port) ?? 0) == 0 else {
      throw BenchFailure("the connection to NATS ended")
    }
  }

  private static func serve(
    _ app: sending some DaemonApp, folder: String, durable: Bool,
    until stop: AsyncStream<Void>, _ willServe: (EventLoop) -> Void = { _ in }
  ) async throws {
    let host = try await DaemonHost(
      app,
      settings: HostSettings(
        endpoints: DaemonEndpoints(folder: folder),
        storage: durable
          ? .journal(folder: folder + "/journal", options: JournalOptions()) : .memory),
      willServe: { loop, _ in willServe(loop) },
      report: { Notice.say("bench server: \($0)") })
    Parent.tell("serving")
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
