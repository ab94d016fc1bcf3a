import Foundation
import Testing

/// Seeded histories of a daemon and its clients, judged step by step. `make simulate` runs more.
///
/// - `STATECAST_HISTORIES`: how many (100,000 unless said otherwise).
/// - `STATECAST_FROM`: the first one's seed.
/// - `STATECAST_WORKERS`: on how many processors (2 unless said otherwise).
/// - `STATECAST_SEED`: one history alone, with its trace.
@Suite("The simulation", .serialized)
struct SimulationTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test("No history breaks an invariant")
  func histories() async {
    if let seed = Self.number("STATECAST_SEED") {
      let world = Simulation.run(seed: seed, isTraced: true)
      print("seed \(seed): \(world.scenario)")
      for line in world.traced ?? [] { print(line) }
      #expect(world.complaint == nil, "seed \(seed)")
      return
    }
    let count = Self.number("STATECAST_HISTORIES").map { Int($0) } ?? 100_000
    let clock = ContinuousClock()
    let start = clock.now
    let first = Self.number("STATECAST_FROM") ?? 0
    let workers = Self.number("STATECAST_WORKERS").map { Int($0) } ?? 2
    let outcome = await Simulation.explore(
      first: first, count: count, workers: workers,
      report: { print("\($0) of \(count) histories from seed \(first), all clean") })
    let coverage = Coverage.fields.map { "\($0.0) \(outcome.coverage[keyPath: $0.1])" }
    print(
      "\(outcome.histories) histories in \(clock.now - start): \(coverage.joined(separator: ", "))")
    if let finding = outcome.finding {
      print("Failed: seed \(finding.seed). Replay it: make simulate SEED=\(finding.seed)")
      Issue.record(Comment(rawValue: Simulation.shrink(finding).description))
    }
  }
}
