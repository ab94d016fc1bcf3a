import Foundation
import Testing

/// Seeded histories of a daemon and its clients, judged step by step.
///
/// - `STATECAST_HISTORIES`: how many (40,000 unless said otherwise).
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
    let count = Self.number("STATECAST_HISTORIES").map { Int($0) } ?? 40_000
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = await Simulation.explore(count: count)
    let coverage = Coverage.fields.map { "\($0.0) \(outcome.coverage[keyPath: $0.1])" }
    print(
      "\(outcome.histories) histories in \(clock.now - start): \(coverage.joined(separator: ", "))")
    if let finding = outcome.finding {
      Issue.record(Comment(rawValue: Simulation.shrink(finding).description))
    }
  }
}
