import Foundation
import Testing

/// The simulation finds what it is there to find: each rule of the protocol, read otherwise in one
/// of the machines, breaks an invariant within a stated number of histories.
@Suite("The simulation's eye", .serialized)
struct MutationTests {
  @Test("A rule that is broken is noticed", arguments: Mutation.all + Mutation.together)
  func found(mutation: Mutation) async {
    let outcome = await Simulation.explore(
      count: mutation.within, faults: mutation.faults, onlyCalls: mutation.isOfCalls)
    guard let finding = outcome.finding else {
      Issue.record(
        "\(mutation): broken, and not noticed in \(outcome.histories) histories \(outcome.coverage)"
      )
      return
    }
    print("\(mutation): history \(finding.seed + 1): \(finding.complaint)")
  }

  @Test("There are thirty of them and more, each of one rule")
  func many() {
    #expect(Mutation.all.count >= 30)
    #expect(Set(Mutation.all.map(\.rule)).count == Mutation.all.count)
  }
}
