import Composable
import StateModel
import StatecastClient
import SyncProtocol
import Synchronization
import Testing

@Suite("Rules 15 to 18 between processes: bindings of a remote store", .timeLimit(.minutes(5)))
@MainActor
struct RemoteBindingTests {
  typealias PlayerStore = RemoteStore<Player.State, Player.Action>

  func store(_ rig: HostedRig<PlayerDaemon>) async throws -> PlayerStore {
    try await rig.connect().store("player", of: Player.State.self, action: Player.Action.self)
  }

  /// Waits until nothing that a binding has set is pending.
  func settle<State, Action>(_ store: RemoteStore<State, Action>) async {
    let (turned, continuation) = AsyncStream<Never>.makeStream()
    let observation = store.observePending { if !store.hasPending { continuation.finish() } }
    if !store.hasPending { continuation.finish() }
    for await _ in turned {}
    observation.cancel()
  }

  // MARK: Rule 15

  struct Plain: Equatable { var title: String }

  @Test("All four ways set the same field by the same action, and the reducer matches it")
  func fourWays() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)

    let carried = try await rig.connect().store(
      "carried", of: PlayerDaemon.Carried.self, action: Player.Action.self)
    let a = ViewStore(carried, observe: { $0 })
    a.$title.wrappedValue = "a"
    #expect((a.$title.wrappedValue, a.title) == ("a", ""))
    await settle(carried)
    #expect((a.$title.wrappedValue, a.title) == ("a", "a"))

    let b = ViewStore(player, observe: { Plain(title: $0.title) })
    b.binding(\.$title, as: \.title).wrappedValue = "b"
    #expect(b.binding(\.$title, as: \.title).wrappedValue == "b")
    #expect(b.title != "b")
    await settle(player)
    #expect(b.title == "b")

    let panel = try await rig.connect().store(
      "panel", of: Player.Panel.self, action: Player.Action.self)
    let c = ViewStore(panel, observe: { $0 }, send: Player.Action.panel)
    c.binding(\.$title).wrappedValue = "c"
    #expect((c.$title.wrappedValue, c.title) == ("c", "b"))
    await settle(panel)
    #expect((c.$title.wrappedValue, c.title) == ("c", "c"))

    let title = b.binding(get: \.title, send: { Player.Action.set(\.$title, $0) })
    title.wrappedValue = "d"
    #expect(title.wrappedValue == "d")
    await settle(player)
    #expect(b.title == "d")

    #expect(player.log == ["title a", "title b", "title c", "title d"])
    let reply = try await player.connection.ask(.log(from: 0, limit: 100))
    guard case .value(let log) = reply.body else {
      Issue.record("the daemon gave no log")
      return
    }
    let entries = try #require(log.elements).compactMap {
      if case .bytes(let bytes) = $0["entry"] { bytes } else { nil }
    }
    #expect(entries.count == 4)
    for (entry, text) in zip(entries, ["a", "b", "c", "d"]) {
      let action: Value = ["binding": ["title": .text(EditableText(text))]]
      #expect(entry.firstRange(of: action.encoded()) != nil, "\(text): \(entry)")
    }
    await rig.stop()
  }

  @Test("All bindings to a field show what one of them has set, in the form that each shows")
  func shared() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let view = ViewStore(player, observe: { $0 })
    let doubled = view.binding(
      get: { $0.volume * 2 }, send: { Player.Action.set(\.$volume, $0 / 2) })
    let text = view.$volume.map(get: { "\($0)" }, set: { Int($0) ?? 0 })
    view.$volume.wrappedValue = 33
    #expect(view.binding(\.$volume).wrappedValue == 33)
    #expect(text.wrappedValue == "33")
    #expect(doubled.wrappedValue == 20, "33 would be sent as 16: it is not the one that is pending")
    let other = ViewStore(player, observe: { $0 })
    #expect(other.$volume.wrappedValue == 33)
    #expect(other.$title.wrappedValue == "", "another field")
    await settle(player)
    #expect(doubled.wrappedValue == 66)
    await rig.stop()
  }

  @Test("A part of a field is set with the whole, and shown at once")
  func part() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let view = ViewStore(player, observe: { $0 })
    view.$sound.bass.wrappedValue = 4
    view.$sound.treble.wrappedValue = 5
    #expect(view.$sound.wrappedValue == Player.State.Sound(bass: 4, treble: 5))
    #expect(view.sound == Player.State.Sound())
    await settle(player)
    #expect(view.sound == Player.State.Sound(bass: 4, treble: 5))
    await rig.stop()
  }

  // MARK: Rule 16

  struct Window: Equatable {
    @EquatableBinding<String> var title: Binding<String>
  }

  @Test(
    "Rule 16: an equatable binding over a remote binding keeps what was shown when it was stored")
  func equatableBinding() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let view = ViewStore(player, observe: { $0 })
    let before = Window(title: view.$title)
    before.title.wrappedValue = "typed"
    let pending = Window(title: view.$title)
    #expect(before != pending, "the binding shows another value by now")
    #expect(before == before)
    await settle(player)
    #expect(Window(title: view.$title) == pending)
    #expect(player.title == "typed")
    await rig.stop()
  }

  // MARK: Rule 17

  @Test("Observers of a binding see the set value at once and then the daemon's, never the old one")
  func clamped() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let view = ViewStore(player, observe: { $0 })
    var shown: [Int] = []
    var mirrored: [Int] = []
    let observations = [
      view.$volume.observe { shown.append($0) },
      view.observe { mirrored.append($0.volume) },
    ]
    view.$volume.wrappedValue = 500
    #expect(shown == [10, 500])
    await settle(player)
    #expect(shown == [10, 500, 100])
    #expect(mirrored == [10, 100], "the mirror is the daemon's alone")
    // At the end already: nothing is published, and the daemon's value is taken all the same.
    view.$volume.wrappedValue = 700
    await settle(player)
    #expect(shown == [10, 500, 100, 700, 100])
    #expect(mirrored == [10, 100])
    for observation in observations { observation.cancel() }
    await rig.stop()
  }

  @Test("The values of a binding are a sequence")
  func values() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let view = ViewStore(player, observe: { $0 })
    var values = view.$volume.values.makeAsyncIterator()
    #expect(await values.next() == 10)
    view.$volume.wrappedValue = -5
    #expect(await values.next() == -5)
    #expect(await values.next() == 0)
    await rig.stop()
  }

  @Test("One unacknowledged set a field: what is set meanwhile is replaced by the newest")
  func newest() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let view = ViewStore(player, observe: { $0 })
    for text in ["a", "ab", "abc", "abcd"] { view.$title.wrappedValue = text }
    #expect(view.$title.wrappedValue == "abcd")
    await settle(player)
    #expect(player.log == ["title a", "title abcd"])
    await rig.stop()
  }

  @Test("An action that is sent after a set arrives after it, also when the set had to wait")
  func order() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let view = ViewStore(player, observe: { $0 })
    view.$title.wrappedValue = "a"
    view.$title.wrappedValue = "ab"
    for number in 1...20 { player.send(.note("note \(number)")) }
    _ = try await player.perform(.note("end"), until: .mirrored)
    #expect(
      player.log == ["title a", "title ab"] + (1...20).map { "note \($0)" } + ["end"])
    await rig.stop()
  }

  @Test("A refused set rolls back, tells the binding's observers, and says why")
  func rejected() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let view = ViewStore(player, observe: { $0 })
    var refused: [String] = []
    var shown: [String] = []
    let observations = [
      player.observeRefusedSets { refused.append($0.description) },
      view.$title.observe { shown.append($0) },
    ]
    view.$title.wrappedValue = "forbidden"
    await settle(player)
    #expect(shown == ["", "forbidden", ""])
    #expect(refused == ["title was not set: rejected: this title is taken"])
    // A newer value is not rolled back with the one before it.
    view.$title.wrappedValue = "forbidden"
    view.$title.wrappedValue = "allowed"
    await settle(player)
    #expect(shown == ["", "forbidden", "", "forbidden", "allowed"])
    #expect(player.title == "allowed")
    #expect(refused.count == 2)
    for observation in observations { observation.cancel() }
    await rig.stop()
  }

  @Test("A refused set that nobody observes is reported")
  func unobserved() async throws {
    let reports = HostedRig<PlayerDaemon>.Lines()
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await withDependencies {
      $0.issueReporter = IssueReporter { reports.add($0.message) }
    } operation: {
      let player = try await store(rig)
      ViewStore(player, observe: { $0 }).$title.wrappedValue = "forbidden"
      await settle(player)
      return player
    }
    #expect(
      reports.all == [
        """
        title was not set: rejected: this title is taken. Show it to whoever set it: \
        'observeRefusedSets' of the store tells.
        """
      ])
    #expect(!player.hasPending)
    await rig.stop()
  }

  @Test("A set of an element that is gone by then is refused as gone")
  func gone() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let other = try await store(rig)
    _ = try await other.perform(.remove(7))
    var refused: [RefusedSet] = []
    let observation = player.observeRefusedSets { refused.append($0) }
    for id in [7, 8] {
      let name = ViewStore(player, observe: { $0 }).binding(
        get: { $0.tracks[id: id]?.name ?? "" },
        send: { Player.Action.track(id: id, action: .set(\.$name, $0)) })
      name.wrappedValue = "named"
      #expect(name.wrappedValue == "named")
    }
    await settle(player)
    #expect(
      refused.map(\.description) == [
        "track.7.name was not set: gone: what track.7.name belongs to is not there any more"
      ])
    #expect(player.tracks.map(\.name) == ["named"])
    #expect(rig.log == [], "a race is nobody's mistake")
    observation.cancel()
    await rig.stop()
  }

  @Test(
    "A compared set is refused with conflict when somebody else was first; the other value stays")
  func compared() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    let other = try await player.connection.store(
      "player", of: Player.State.self, action: Player.Action.self)
    let view = ViewStore(player, observe: { $0 })
    var refused: [String] = []
    let observation = player.observeRefusedSets { refused.append($0.description) }
    let title = view.binding(\.$title, isCompared: true)
    title.wrappedValue = "one"
    title.wrappedValue = "two"
    await settle(player)
    #expect(player.title == "two")
    #expect(refused == [])
    // On one connection the order is that of sending, and nothing is taken in between the two.
    other.send(.set(\.$title, "other"))
    title.wrappedValue = "three"
    #expect(title.wrappedValue == "three")
    await settle(player)
    #expect(player.title == "other")
    #expect(title.wrappedValue == "other")
    #expect(refused == ["title was not set: conflict: the value is not the expected one any more"])
    observation.cancel()
    await rig.stop()
  }

  @Test("An action can expect its field's value: done if it is so, else a conflict")
  func expecting() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    #expect(
      try await player.perform(.set(\.$volume, 20), expecting: 10, until: .mirrored).changed)
    #expect(player.volume == 20)
    let failure = await #expect(throws: ActionFailure.self) {
      try await player.perform(.set(\.$volume, 30), expecting: 10)
    }
    #expect(
      failure?.description == "conflict: the value is not the expected one any more")
    // Also deep inside, where no path of the state is spelled like the action's.
    let named = Player.Action.track(id: 8, action: .set(\.$name, "n"))
    _ = try await player.perform(named, expecting: "", until: .mirrored)
    #expect(player.tracks[id: 8]?.name == "n")
    let late = await #expect(throws: ActionFailure.self) {
      try await player.perform(named, expecting: "")
    }
    #expect(late?.code == .conflict)
    let none = await #expect(throws: ActionFailure.self) {
      try await player.perform(.note("x"), expecting: 1)
    }
    #expect(
      none?.description
        == "invalid: only a binding can expect a value of its field, and note(\"x\") is none")
    await rig.stop()
  }
}
