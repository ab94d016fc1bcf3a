import Glibc
import ZeroMQ

/// A client pulls a state of 100 MB while another writes as fast as it can: how long the daemon's
/// loop is away in one piece, and what the writer's actions wait for it.
///
/// Following so large a view takes the daemon its time, too, pulled or not: the pull is held against
/// the time after it, when the same mirror follows.
struct SnapshotCase {
  let options: BenchOptions

  private var megabytes: Double { options.isQuick ? 20 : 100 }

  func run() throws -> [BenchCase] {
    let folder = try BenchFolder()
    let server = try Child(["load-serve", folder.path, "memory", "\(megabytes)"])
    defer { server.end() }
    try server.words(after: "serving")
    let load = try Child(["load-drive", folder.path, "1"])
    try load.words(after: "joined")
    try load.tell("run 64")
    // The writer alone, for as long as the viewer takes to start and then some.
    let quiet = EventLoop.monotonicNow()
    usleep(options.isQuick ? 500_000 : 2_000_000)
    let viewer = try Child(["view-drive", folder.path, "1", "whole", "\(megabytes)"])
    let joined = try viewer.words(after: "joined").compactMap { Int64($0) }
    guard joined.count == 2 else { throw BenchFailure("the viewer said \(joined)") }
    usleep(options.isQuick ? 500_000 : 2_000_000)
    let end = EventLoop.monotonicNow()
    try load.tell("stop")
    guard let sent = try load.numbers(after: "sent").first else {
      throw BenchFailure("the load told no number")
    }
    let without = (from: quiet, to: joined[0])
    let during = (from: joined[0], to: joined[1])
    let after = (from: joined[1] + Self.settling, to: end)
    let calm = try quantiles(load, without)
    let pulled = try quantiles(load, during)
    let followed = try quantiles(load, after)
    let calmPause = try pause(server, without)
    let pause = try pause(server, during)
    try viewer.tell("expect \(Int(sent))")
    guard try viewer.numbers(after: "inexact") == [0] else {
      throw BenchFailure("the mirror of the large state is not what the actions made")
    }
    let name = "snapshot of \(Int(megabytes)) MB under load"
    return [
      BenchCase(
        name: "\(name), longest pause of the loop", value: pause.length, unit: "ms",
        beside: ("no pull", calmPause.length), bound: .atMost(5)),
      BenchCase(
        name: "\(name), of a pause the loop's own work", value: pause.busy, unit: "ms",
        beside: ("no pull", calmPause.busy), bound: .none),
      BenchCase(
        name: "\(name), added to an action's p99", value: (pulled[2] - followed[2]) / 1e3,
        unit: "ms", beside: ("p99 when it follows", followed[2] / 1e3), bound: .atMost(1)),
      BenchCase(
        name: "\(name), following it adds to the p99", value: (followed[2] - calm[2]) / 1e3,
        unit: "ms", beside: ("p99 without", calm[2] / 1e3), bound: .none),
      BenchCase(
        name: "\(name), the join", value: Double(during.to - during.from) / 1e6, unit: "ms",
        bound: .none),
    ]
  }

  /// After it has joined, a mirror catches up.
  private static let settling: Int64 = 300_000_000

  private typealias Span = (from: Int64, to: Int64)

  private func quantiles(_ load: Child, _ span: Span) throws -> [Double] {
    try load.tell("between \(span.from) \(span.to)")
    let numbers = try load.numbers(after: "quantiles")
    guard numbers.count == LatencyHistogram.names.count else {
      throw BenchFailure("the load said \(numbers)")
    }
    return numbers
  }

  /// Milliseconds: the longest pause, and the longest that the thread itself was busy in one.
  private func pause(_ server: Child, _ span: Span) throws -> (length: Double, busy: Double) {
    try server.tell("between \(span.from) \(span.to)")
    let numbers = try server.numbers(after: "pause")
    guard numbers.count == 2 else { throw BenchFailure("the server said \(numbers)") }
    return (numbers[0] / 1e6, numbers[1] / 1e6)
  }
}
