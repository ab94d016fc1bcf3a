import StateModel
import StatecastTesting
import Testing

@Suite("The checker of histories")
struct HistoryTests {
  private static let right: History = {
    var history = History(digest: Digest(rawValue: 3))
    history.sent = [
      .init(client: 0, number: 1, outcome: .applied(commit: 2), wasSeen: true),
      .init(client: 1, number: 1, outcome: .applied(commit: 3)),
      .init(client: 1, number: 2, outcome: .notApplied),
      .init(client: 1, number: 3, outcome: .unknown),
    ]
    history.applied = ["0.1", "1.1", "1.3"]
    history.sightings = [
      [
        .init(number: 2, digest: Digest(rawValue: 2)),
        .init(number: 4, digest: Digest(rawValue: 3)),
      ],
      [.init(number: 4, digest: Digest(rawValue: 3))],
    ]
    return history
  }()

  @Test("A right history has no violations")
  func right() { #expect(Self.right.violations() == []) }

  @Test(
    "Each thing that may go wrong is found and named",
    arguments: [
      (["0.1", "1.3"], "1.1 was acknowledged and is applied 0 times"),
      (["0.1", "0.1", "1.1"], "0.1 was acknowledged and is applied 2 times"),
      (["0.1", "1.1", "1.2"], "1.2 was said not to be applied, and is"),
      (["0.1", "1.1", "1.3", "1.3"], "1.3 is applied 2 times"),
      (["0.1", "1.1", "7.7"], "7.7 is applied and was sent by nobody"),
      (["1.1", "0.1"], "0.1 has commit 2, and stands after 1.1 with 3"),
    ])
  func wrongLists(_ list: [String], _ violation: String) {
    var history = Self.right
    history.applied = list
    #expect(history.violations().contains(violation))
  }

  @Test("Mirrors that go back, disagree, or end elsewhere are found")
  func wrongMirrors() {
    func sighting(_ number: UInt64, _ digest: UInt64) -> History.Sighting {
      .init(number: number, digest: Digest(rawValue: digest))
    }
    var history = Self.right
    history.sightings = [[sighting(4, 3), sighting(3, 2), sighting(4, 3)]]
    #expect(history.violations() == ["mirror 0 went back from 4 to 3"])
    history.sightings = [[sighting(2, 2), sighting(4, 3)], [sighting(2, 9), sighting(4, 3)]]
    #expect(
      history.violations() == ["mirror 1 has another value at 2 than an earlier one"])
    history.sightings = [[sighting(2, 2)]]
    #expect(
      history.violations() == ["mirror 0 ends at 2 with another value than the daemon's"])
  }

  @Test("A mirror that was waited for and had not what was waited for is found")
  func notSeen() {
    var history = Self.right
    history.sent[0].wasSeen = false
    #expect(
      history.violations() == ["0.1 was awaited in the mirror, which did not have it"])
  }
}
