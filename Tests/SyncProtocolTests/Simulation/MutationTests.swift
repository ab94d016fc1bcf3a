import Testing

/// The simulation finds what it is there to find: each mistake of the project's model, put into the
/// machines, breaks an invariant within 10,000 histories.
@Suite("The simulation's eye", .serialized)
struct MutationTests {
  private static let most = 10_000

  private func find(_ mutation: Mutation) async {
    let outcome = await Simulation.explore(count: Self.most, faults: mutation.faults)
    guard let finding = outcome.finding else {
      Issue.record("\(mutation) is not found in \(outcome.histories) histories")
      return
    }
    print("\(mutation): history \(finding.seed + 1): \(finding.complaint)")
  }

  @Test("A mistake that shows alone is found", arguments: Mutation.alone)
  func alone(mutation: Mutation) async { await find(mutation) }

  @Test("The four mistakes that other rules cover for are found together")
  func together() async { await find(Mutation.together) }

  @Test(
    "Three of those four are found alone too, with other binaries, restored backups and strangers",
    arguments: Mutation.others.filter { $0.name != "act_any_epoch" })
  func others(mutation: Mutation) async { await find(mutation) }
}
