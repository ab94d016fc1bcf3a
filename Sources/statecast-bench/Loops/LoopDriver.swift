import CFloor
import Foundation

/// The driver's process: joins its mirrors, warms up, measures, and says what it found in one line.
enum LoopDriver {
  private static let mostSamples = 400_000

  /// Closed loops with so many actions open, one after the other; `Figures` in a line.
  static func closed(
    _ contender: Contender, at address: String, mirrors: Int, seconds: Double, windows: [Int]
  ) async throws {
    guard contender == .ours || contender == .dealer else {
      return try closedPeer(contender, address, mirrors, seconds, windows)
    }
    let drive = try Drive(
      folder: address, subscribers: mirrors, usesDealer: contender == .dealer)
    await drive.join()
    var figures = Figures([:])
    for window in windows {
      if window == 1 {
        _ = await drive.oneByOne(seconds / 2)
        let histogram = LatencyHistogram(await drive.oneByOne(seconds))
        figures.values[1] = histogram.microseconds[0]
      } else {
        _ = await drive.windowed(seconds / 2, window: window)
        figures.values[window] = await drive.windowed(seconds, window: window)
      }
    }
    try await finish(drive, figures.line)
  }

  /// Actions at a fixed rate; the histogram's quantiles in a line.
  static func open(
    _ contender: Contender, at address: String, mirrors: Int, seconds: Double, rate: Int
  ) async throws {
    let interval = Int64(1_000_000_000 / rate)
    let count = max(1, Int(seconds * Double(rate)))
    if contender == .ours || contender == .dealer {
      let drive = try Drive(
        folder: address, subscribers: mirrors, usesDealer: contender == .dealer)
      await drive.join()
      _ = await drive.arriving(every: interval, count: count / 4)
      let latencies = await drive.arriving(every: interval, count: count)
      guard latencies.count == count else { throw BenchFailure("actions were lost") }
      return try await finish(drive, line(latencies))
    }
    guard let peer = connect(contender, address, mirrors), peer_join(peer) == 0 else {
      throw BenchFailure("the driver of \(contender) cannot connect")
    }
    var latencies = [Int64](repeating: 0, count: count)
    guard peer_open_loop(peer, interval, &latencies, Int32(count / 4)) == 0,
      peer_open_loop(peer, interval, &latencies, Int32(count)) == 0
    else { throw BenchFailure("the driver of \(contender) waited in vain for an update") }
    peer_close(peer)
    Parent.tell(line(latencies))
    exit(0)
  }

  private static func closedPeer(
    _ contender: Contender, _ address: String, _ mirrors: Int, _ seconds: Double, _ windows: [Int]
  ) throws {
    guard let peer = connect(contender, address, mirrors), peer_join(peer) == 0 else {
      throw BenchFailure("the driver of \(contender) cannot connect")
    }
    var figures = Figures([:])
    var samples = [Int64](repeating: 0, count: mostSamples)
    for window in windows {
      if window == 1 {
        _ = peer_one_by_one(peer, seconds / 2, &samples, Int32(samples.count))
        let count = peer_one_by_one(peer, seconds, &samples, Int32(samples.count))
        guard count > 0 else { throw BenchFailure("an update of \(contender) never came") }
        figures.values[1] = LatencyHistogram(samples[..<Int(count)]).microseconds[0]
      } else {
        _ = peer_windowed(peer, seconds / 2, Int32(window))
        let rate = peer_windowed(peer, seconds, Int32(window))
        guard rate > 0 else { throw BenchFailure("an update of \(contender) never came") }
        figures.values[window] = rate
      }
    }
    peer_close(peer)
    Parent.tell("figures " + figures.line)
    exit(0)
  }

  private static func connect(
    _ contender: Contender, _ address: String, _ mirrors: Int
  ) -> OpaquePointer? {
    let requests = "ipc://\(address)/requests"
    return switch contender {
    case .ours, .dealer: nil
    case .floor: floor_connect(requests, "ipc://\(address)/publications", Int32(mirrors))
    case .redis: redis_connect(address, Int32(mirrors))
    case .nats: nats_connect(Int32(address) ?? 0, Int32(mirrors))
    }
  }

  private static func line(_ latencies: [Int64]) -> String {
    "quantiles "
      + LatencyHistogram(latencies).microseconds.map { "\($0)" }.joined(separator: " ")
  }

  private static func finish(_ drive: Drive, _ line: String) async throws {
    guard await drive.mirrorsAreExact() else {
      throw BenchFailure("a mirror is not what the actions made: the figures do not count")
    }
    Parent.tell(line.hasPrefix("quantiles") ? line : "figures " + line)
    exit(0)
  }
}
