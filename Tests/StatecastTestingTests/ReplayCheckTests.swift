import Composable
import FoundationEssentials
import StateModel
import Synchronization
import TestSupport
import Testing

@testable import StatecastTesting

@Suite("Rule 13: replaying gives the same bytes", .timeLimit(.minutes(5)))
@MainActor
struct ReplayCheckTests {
  struct Votes: Reducer {
    @Mirrored struct State {
      var votes: [String: Int] = [:]
      var ranking: [String] = []
      var last: String?
    }

    @Mirrored enum Action {
      case vote(String)
      case rank
      case rankSorted
      case stamp
      case stampFromOutside
      case forbidden
    }

    @Dependency(\.date) var date
    @Dependency(\.uuid) var uuid

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .vote(let name): state.votes[name, default: 0] += 1
      case .rank: state.ranking = state.votes.keys.map { $0 }
      case .rankSorted: state.ranking = state.votes.keys.sorted()
      case .stamp: state.last = "\(date.now) \(uuid())"
      case .stampFromOutside: state.last = "\(UUID())"
      case .forbidden: return .reject("no")
      }
      return .none
    }
  }

  /// What is said of handling the actions again.
  private func said(_ actions: [Votes.Action]) async -> [String] {
    await Failures.of {
      ReplayCheck.run(initialState: Votes.State(), actions: actions) { Votes() }
    }.messages
  }

  private let votes = ["a", "b", "c", "d", "e", "f"].map { Votes.Action.vote($0) }

  @Test("Rule 13: a reducer that takes everything from its dependencies passes")
  func passing() async {
    #expect(await said(votes + [.rankSorted, .stamp, .forbidden, .stamp]) == [])
  }

  @Test("Rule 13: going through a dictionary in its own order is found, and named")
  func unordered() async {
    for _ in 1...10 {
      let said = await said(votes + [.rank])
      #expect(said.count == 1)
      #expect(
        said.first?.hasPrefix("Handled again, .rank (action 7) gave another state:\n") == true,
        "\(said)")
      #expect(
        said.first?.hasSuffix(
          """
          (- once, + again)

          It is the same in another order: the reducer goes through a Set or a Dictionary. Let it sort \
          what it goes through, or keep it in an Array or IdentifiedArray.
          """) == true)
    }
  }

  @Test(
    "Rule 13: a set that the reducer only uses meanwhile is found too, also one of two elements")
  func temporary() async {
    struct Pair: Reducer {
      let elements: [Int]
      func reduce(into state: inout [Int], action: Bool) -> Effect<Bool> {
        state = Array(Set(elements))
        return .none
      }
    }
    for elements in [[1, 2, 3, 4, 5], [1, 2]] {
      let found = await Failures.of {
        ReplayCheck.run(initialState: [Int](), actions: [true]) { Pair(elements: elements) }
      }
      #expect(found.messages.count == 1, "\(elements)")
    }
  }

  @Test("Rule 13: a run's tables lie where none of an earlier run did, but for what others move")
  func places() {
    let checks = 100
    var places = 0
    for _ in 1...checks {
      let orders = Mutex<Set<[Int]>>([])
      ReplayCheck.run(initialState: 0, actions: [true]) {
        Reduce<Int, Bool> { _, _ in
          // The order of so many tells the place.
          let order = Array(Set(0..<12))
          orders.withLock { _ = $0.insert(order) }
          return .none
        }
      }
      places += orders.withLock { $0.count }
    }
    // Tests beside this one allocate and free, too: of the last places some are taken again.
    #expect(places >= checks * ReplayCheck.runs * 97 / 100, "\(places)")
  }

  @Test("Rule 13: what comes from elsewhere than the dependencies is found")
  func outside() async {
    let said = await said([.stampFromOutside])
    #expect(
      said.first?.hasSuffix(
        """
        The reducer takes something from elsewhere than its state and its action: time, randomness \
        and ids must come from '@Dependency', and a Set or Dictionary must be sorted before it is gone \
        through.
        """) == true)
  }

  @Test("Rule 13: where hashing is deterministic nothing can be found out, and that is said")
  func deterministic() {
    #expect(
      ReplayCheck.deterministic == """
        All sets of this process have the same order, so nothing can be found out. Run the tests \
        without SWIFT_DETERMINISTIC_HASHING.
        """)
    #expect(
      ReplayCheck.undecodable(DecodingFailure(.wrongType, "expected a map")) == """
        The state cannot be decoded from its own encoding: expected a map. Mend its 'init(from:)', or \
        let '@Mirrored' write it.
        """)
  }
}
