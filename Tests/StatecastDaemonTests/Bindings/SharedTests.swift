import Composable
import StateModel
import StatecastClient
import Testing
import ZeroMQ

@Suite("Shared values of an app's views", .timeLimit(.minutes(5)))
struct SharedTests {
  private func options(_ rig: HostedRig<PlayerDaemon>) -> DaemonConnection.Options {
    var options = DaemonConnection.Options(endpoints: DaemonEndpoints(folder: rig.folder))
    options.timeout = .seconds(20)
    return options
  }

  @Test("A field of a view is read, set at once, and then what the reducer made of it")
  func field() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    @Shared(.view(\PlayerDaemon.Carried.$volume), on: options(rig)) var volume = 3
    @Shared(.view(\PlayerDaemon.Carried.$volume), on: options(rig)) var other = 4
    #expect(volume == 3, "what stands behind it, until a value has come")
    var values = $volume.makeAsyncIterator()
    #expect(await values.next() == 3)
    try await $volume.ready()
    #expect(await values.next() == 10)
    #expect(volume == 10)
    volume = 500
    // That it is read at once is seen here; `volume` itself may already be what the reducer made of it.
    #expect(await values.next() == 500)
    #expect(await values.next() == 100)
    #expect(volume == 100)
    try await $other.ready()
    try await $other.set(-4)
    #expect(other == 0)
    #expect($other.staleness == nil)
    #expect(await values.next() == 0)
    await rig.stop()
  }

  @Test("A part of a view is set by an action of the app's; refused, it is the daemon's again")
  func part() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let source = SharedSource<String>.view("player", \Player.State.title) {
      Player.Action.set(\.$title, $0)
    }
    @Shared(source, on: options(rig)) var title = ""
    // Before there is a mirror: sent once there is.
    title = "early"
    #expect(title == "early")
    try await $title.ready()
    var values = $title.makeAsyncIterator()
    #expect(await values.next() == "early")
    let failure = await #expect(throws: ActionFailure.self) { try await $title.set("forbidden") }
    #expect(failure?.description == "rejected: this title is taken")
    #expect($title.lastRefusedSet == nil, "it was thrown")
    title = "forbidden"
    #expect(await values.next() == "forbidden")
    #expect(await values.next() == "early")
    #expect(
      $title.lastRefusedSet?.description
        == "player was not set: rejected: this title is taken")
    $title.binding.wrappedValue = "bound"
    #expect(await values.next() == "bound")
    await rig.stop()
  }

  @Test("A part that is only read is not set, and a view that there is not says so")
  func refused() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    @Shared(.view("player", \Player.State.locked), on: options(rig)) var locked = ""
    try await $locked.ready()
    locked = "x"
    #expect(locked == "locked")
    #expect(
      $locked.lastRefusedSet?.description == """
        player was not set: not-settable: it is only read: give '.view' the action that sets it
        """)
    @Shared(.view("nowhere", \Player.State.locked), on: options(rig)) var nowhere = "here"
    let failure = await #expect(throws: ConnectionFailure.self) { try await $nowhere.ready() }
    #expect(
      failure?.message == """
        the daemon refuses the view nowhere: unknown, no view is named nowhere; there are carried, \
        panel, player
        """)
    #expect($nowhere.staleness == failure?.message)
    #expect(nowhere == "here")
    await rig.stop()
  }

  @Test("Nobody there: the value stays what stands behind it, and waiting ends")
  func nobody() async throws {
    var options = DaemonConnection.Options(
      endpoints: DaemonEndpoints(folder: "/tmp/sch-nobody-is-here"))
    options.timeout = .milliseconds(50)
    @Shared(.view("player", \Player.State.title), on: options) var title = "alone"
    let failure = await #expect(throws: ConnectionFailure.self) { try await $title.ready() }
    #expect(failure?.reason == .unreachable)
    #expect(title == "alone")
  }

  @Test("Copies share one mirror, and an optional needs nothing behind it")
  func copies() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let source = SharedSource<String?>.view("player", \Player.State.note) {
      Player.Action.note($0 ?? "")
    }
    @Shared(source, on: options(rig)) var note: String?
    #expect(note == nil)
    let copy = $note
    try await copy.ready()
    try await copy.set("written")
    #expect(note == "written")
    await rig.stop()
  }
}

extension PlayerDaemon.Carried: SharedView {
  static var viewName: String { "carried" }
  static func action(_ binding: BindingAction<Player.State>) -> Player.Action { .binding(binding) }
}

extension Player.State {
  /// The last line of the log.
  var note: String? { log.last }
}
