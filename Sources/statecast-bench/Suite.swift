import Foundation

/// `make bench`: every case in turn, a line of JSON for each as it is known, a table at the end. A
/// case that fails is told, and the rest goes on.
struct Suite {
  let options: BenchOptions

  /// The groups in their order, by the names that `--only` takes.
  static let groups = [
    "loops", "open", "costs", "memory", "get", "join", "snapshot", "trace", "crowd", "joiners",
    "stopped", "growth", "recovery",
  ]
  /// Too long for a first look.
  static let slowGroups: Set = ["growth", "recovery", "stopped"]

  /// Measures; false if something that has to hold does not.
  func run() async throws -> Bool {
    let chosen =
      options.groups ?? Self.groups.filter { !options.isQuick || !Self.slowGroups.contains($0) }
    if let unknown = chosen.first(where: { !Self.groups.contains($0) }) {
      throw BenchFailure(
        "there is no group \(unknown). The groups are \(Self.groups.joined(separator: ", "))")
    }
    if options.hasPeers {
      for missing in Contender.allCases.compactMap(\.missing) { Notice.say(missing) }
    }
    let start = ContinuousClock.now
    var cases: [BenchCase] = []
    func report(_ one: BenchCase) {
      Parent.tell(one.json)
      cases.append(one)
    }
    for group in chosen {
      do { try await run(group, report) } catch { report(.failed(group, "\(error)")) }
    }
    let took = Int((ContinuousClock.now - start) / .seconds(1))
    Parent.tell("\n\(options.pairs) pairs of \(options.seconds) s, medians; \(took) s in all")
    for line in ResultTable(cases: cases).lines { Parent.tell(line) }
    return cases.allSatisfy { $0.holds != false }
  }

  private func run(_ group: String, _ report: (BenchCase) -> Void) async throws {
    func all(_ cases: [BenchCase]) { for one in cases { report(one) } }
    switch group {
    case "loops": ClosedLoops(options: options).run(report)
    case "open": OpenLoop(options: options).run(report)
    case "costs": all(try CostCases(options: options).run())
    case "memory": all(try MemoryCase(options: options).run())
    case "get": all(try await GetCase(options: options).run())
    case "join": all(try JoinCase(options: options).run())
    case "snapshot": all(try SnapshotCase(options: options).run())
    case "trace": try await trace(all)
    case "crowd": all(try CrowdCase(options: options).run())
    case "joiners": all(try await JoinersCase(options: options).run())
    case "stopped": all(try StoppedCase(options: options).run())
    case "growth": try GrowthReport(seconds: options.seconds / 3).run(report)
    default: all(try recovery())
    }
  }

  private func trace(_ all: ([BenchCase]) -> Void) async throws {
    guard EditingTrace.isThere else {
      return Notice.say("the editing trace is left out: \(EditingTrace.advice)")
    }
    all(try await TraceCase().run())
  }

  private func recovery() throws -> [BenchCase] {
    let folder = try BenchFolder()
    let actions = 1_000_000
    let seconds = try Recovering.run(
      actions: actions, folder: folder.path + "/journal", openings: 1)
    return [
      BenchCase(
        name: "recovery of \(actions) actions", value: median(seconds), unit: "s",
        bound: .atMost(5))
    ]
  }
}
