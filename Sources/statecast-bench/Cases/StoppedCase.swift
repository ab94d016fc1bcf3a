import Foundation
import SyncProtocol
import Synchronization

/// One subscriber is stopped while many actions go on: what the daemon keeps for it is bounded, the
/// others do not feel it, and it is exact once it runs again.
struct StoppedCase {
  let options: BenchOptions

  func run() throws -> [BenchCase] {
    let folder = try BenchFolder()
    let server = try Contender.ours.serve(in: folder, durable: false)
    defer { server.stop() }
    let daemon = server.children[0]
    let load = try Child(["load-drive", folder.path, "2"])
    try load.words(after: "joined")
    let count = options.stoppedActions
    let rate = max(1, Int(Double(count) / options.stoppedSeconds))
    let without = try arrive(load, rate, count)
    let viewer = try Child(["view-drive", folder.path, "1", "bench"])
    try viewer.words(after: "joined")
    let idle = try ProcessMemory.own(daemon.pid)
    viewer.signal(SIGSTOP)
    let peak = MemoryPeak(of: daemon.pid)
    let beside = try arrive(load, rate, count)
    let most = peak.end()
    viewer.signal(SIGCONT)
    try load.tell("stop")
    guard let sent = try load.numbers(after: "sent").first else {
      throw BenchFailure("the load told no number")
    }
    try viewer.tell("expect \(Int(sent))")
    let inexact = try viewer.numbers(after: "inexact").first ?? 1
    let name = "a subscriber stopped for \(Int(options.stoppedSeconds)) s, \(count) actions"
    let bound = Double(Limits().publishedBurst) / 1e6
    return [
      BenchCase(
        name: "\(name), daemon's memory grew by", value: most - idle, unit: "MB",
        bound: .atMost(bound)),
      BenchCase(
        name: "\(name), p99 of the others", value: beside[2], unit: "us",
        beside: ("nobody stopped", without[2]), ratio: beside[2] / without[2], bound: .atMost(2)),
      BenchCase(
        name: "\(name), not exact afterwards", value: inexact, unit: "mirrors", bound: .atMost(0)),
    ]
  }

  private func arrive(_ load: Child, _ rate: Int, _ count: Int) throws -> [Double] {
    try load.tell("arrive \(rate) \(count)")
    return try load.numbers(after: "quantiles")
  }
}

/// The most memory of its own that a process has, looked at ten times a second.
final class MemoryPeak: Sendable {
  private let most = Mutex(0.0)
  private let isOver = Mutex(false)

  init(of pid: Int32) {
    Thread.detachNewThread { [self] in
      while !isOver.withLock({ $0 }) {
        look(pid)
        usleep(100_000)
      }
    }
  }

  private func look(_ pid: Int32) {
    guard let now = try? ProcessMemory.own(pid) else { return }
    most.withLock { $0 = max($0, now) }
  }

  /// Looks no more: what it was.
  func end() -> Double {
    isOver.withLock { $0 = true }
    return most.withLock { $0 }
  }
}
