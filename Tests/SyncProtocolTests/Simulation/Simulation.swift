import SyncProtocol
import Synchronization

/// Runs histories by their seeds, on all processors, and shrinks what it finds.
enum Simulation {
  struct Finding: Sendable {
    var seed: UInt64
    /// How many random steps it takes.
    var steps: Int
    var complaint: String
    var scenario: String
    var trace: [String]

    /// Waiting in vain for rest makes a long tail.
    private var shortTrace: [String] {
      trace.count <= 240 ? trace : trace.prefix(200) + ["…"] + trace.suffix(10)
    }

    var description: String {
      """
      seed \(seed), \(steps) steps: \(complaint)
      (\(scenario))
      \(shortTrace.joined(separator: "\n"))
      """
    }
  }

  struct Outcome: Sendable {
    var histories = 0
    var coverage = Coverage()
    /// The first that was found, by its place in the order of seeds.
    var finding: Finding?
  }

  /// After so many histories it is said how far it is.
  private static let reported = 64 * 400

  /// One history. Its complaint, and what it went through.
  static func run(
    seed: UInt64, steps: Int? = nil, faults: World.Faults = World.Faults(), isTraced: Bool = false
  ) -> World {
    var scenario = Scenario(seed: seed)
    if let steps { scenario.steps = steps }
    let world = World(seed: seed, scenario: scenario, faults: faults, isTraced: isTraced)
    world.run()
    return world
  }

  /// Histories with the seeds `first..<first + count`, until one fails.
  static func explore(
    first: UInt64 = 0, count: Int, faults: World.Faults = World.Faults(), workers: Int = 2,
    onlyCalls: Bool = false, report: @Sendable @escaping (Int) -> Void = { _ in }
  ) async -> Outcome {
    let progress = Progress()
    return await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<workers {
        group.addTask {
          var outcome = Outcome()
          while let batch = progress.next(of: count) {
            if batch.lowerBound > 0, batch.lowerBound.isMultiple(of: reported) {
              report(batch.lowerBound)
            }
            for index in batch {
              if onlyCalls, !Scenario(seed: first + UInt64(index)).hasCalls { continue }
              let world = run(seed: first + UInt64(index), faults: faults)
              outcome.histories += 1
              outcome.coverage += world.coverage
              guard let complaint = world.complaint else { continue }
              progress.stop()
              outcome.finding = Finding(
                seed: first + UInt64(index), steps: world.scenario.steps, complaint: complaint,
                scenario: world.scenario.description, trace: [])
              return outcome
            }
          }
          return outcome
        }
      }
      var total = Outcome()
      for await outcome in group {
        total.histories += outcome.histories
        total.coverage += outcome.coverage
        guard let finding = outcome.finding else { continue }
        if total.finding.map({ finding.seed < $0.seed }) ?? true { total.finding = finding }
      }
      return total
    }
  }

  /// Which seeds are still to be run, for all workers.
  private final class Progress: Sendable {
    private let begun = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private static let batch = 64

    func next(of count: Int) -> Range<Int>? {
      guard !isOver.load(ordering: .relaxed) else { return nil }
      let start = begun.wrappingAdd(Self.batch, ordering: .relaxed).oldValue
      return start < count ? start..<min(start + Self.batch, count) : nil
    }

    func stop() { isOver.store(true, ordering: .relaxed) }
  }

  /// The same finding with as few random steps as still lead to a complaint, and its trace.
  static func shrink(_ finding: Finding, faults: World.Faults = World.Faults()) -> Finding {
    var least = finding
    for steps in 0..<finding.steps {
      let world = run(seed: finding.seed, steps: steps, faults: faults)
      guard let complaint = world.complaint else { continue }
      least.steps = steps
      least.complaint = complaint
      break
    }
    let world = run(seed: least.seed, steps: least.steps, faults: faults, isTraced: true)
    least.trace = world.traced ?? []
    return least
  }
}
