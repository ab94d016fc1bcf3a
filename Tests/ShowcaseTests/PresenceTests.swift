import Composable
import FoundationEssentials
import Testing

@testable import Showcase

@Suite("Presence and Refresh (rule 22)")
struct PresenceTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

  /// What the actions make of a state, each sent by `origin`; their rejections.
  private static func run<R: Reducer>(
    _ reducer: R, _ state: inout R.State, _ actions: [R.Action], origin: UInt64? = nil
  ) -> [Rejection] {
    var core = ReducerCore(reducer)
    return actions.compactMap { action in
      let facts = CommitFacts(
        date: date.timeIntervalSinceReferenceDate, seed: 1, origin: origin, commit: 1)
      return core.perform(action, on: &state, facts: facts).rejection
    }
  }

  @Test("Clients come, are away, come back and leave; the first date is kept")
  func clients() {
    var state = Presence.State()
    let rejections = Self.run(
      Presence(), &state,
      [
        .changed(.joined(client: 3, name: "bar")), .changed(.joined(client: 5, name: "")),
        .changed(.joined(client: 3, name: "status bar")), .changed(.away(client: 5)),
      ])
    #expect(rejections.isEmpty)
    #expect(state.clients.map(\.id) == [3, 5])
    #expect(state.clients.map(\.name) == ["status bar", ""])
    #expect(state.clients.map(\.isAway) == [false, true])
    #expect(state.clients.map(\.since) == [Self.date, Self.date])
    _ = Self.run(Presence(), &state, [.changed(.back(client: 5)), .changed(.left(client: 3))])
    #expect(state.clients.map(\.id) == [5])
    #expect(state.clients.map(\.isAway) == [false])
    _ = Self.run(Presence(), &state, [.changed(.allLeft)])
    #expect(state.clients.isEmpty)
  }

  @Test("A client cannot say who is there")
  func forgedPresence() {
    var state = Presence.State()
    let rejections = Self.run(
      Presence(), &state, [.changed(.joined(client: 3, name: "x"))], origin: 4)
    #expect(rejections.map(\.text) == ["only the daemon itself says who is there"])
    #expect(rejections.map(\.code) == ["forbidden"])
    #expect(state.clients.isEmpty)
  }

  @Test("Handles are kept once each, and go with their owner or with the run")
  func handles() {
    let one = Handle(owner: 3, epoch: 9, name: "refresh")
    let two = Handle(owner: 4, epoch: 9, name: "refresh")
    var state = Refresh.State()
    _ = Self.run(
      Refresh(), &state,
      [.changed(.offered(one)), .changed(.offered(one)), .changed(.offered(two))])
    #expect(state.handles == [one, two])
    _ = Self.run(Refresh(), &state, [.changed(.ownerLeft(3))])
    #expect(state.handles == [two])
    _ = Self.run(Refresh(), &state, [.changed(.withdrawn(two)), .refreshButtonTapped])
    #expect(state.handles == [])
    #expect(state.trigger == 1)
    _ = Self.run(Refresh(), &state, [.changed(.offered(one)), .changed(.allGone)])
    #expect(state.handles == [])
  }

  @Test("A client offers and withdraws handles of its own only")
  func forgedHandles() {
    let handle = Handle(owner: 3, epoch: 9, name: "refresh")
    var state = Refresh.State()
    let rejections = Self.run(
      Refresh(), &state,
      [
        .changed(.offered(handle)), .changed(.withdrawn(handle)), .changed(.ownerLeft(4)),
        .changed(.allGone),
      ], origin: 4)
    #expect(rejections.count == 4)
    #expect(
      rejections.first?.text == "a client offers and withdraws handles of its own only")
    #expect(Self.run(Refresh(), &state, [.changed(.offered(handle))], origin: 3).isEmpty)
    #expect(state.handles == [handle])
  }

  @Test("An in-process handle is of its object, which it does not keep alive")
  func actionHandle() {
    final class List { var loads = 0 }
    var list: List? = List()
    let refresh = ActionHandle(of: list) { $0.loads += 1 }
    #expect(refresh == ActionHandle(of: list) { $0.loads += 2 })
    #expect(refresh != ActionHandle(of: List()) { $0.loads += 1 })
    #expect(refresh())
    #expect(list?.loads == 1)
    list = nil
    #expect(refresh.isGone)
    #expect(!refresh())
  }
}
