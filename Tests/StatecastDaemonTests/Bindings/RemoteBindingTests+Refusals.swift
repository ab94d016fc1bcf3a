import Composable
import StateModel
import StatecastClient
import SyncProtocol
import Synchronization
import Testing

// Rule 18: what is not there, or may not be set, is said.
extension RemoteBindingTests {
  @Test(
    "A set that does not fit is refused clearly",
    arguments: [
      (
        "locked", "x",
        "not-settable: locked may not be set from outside; there are level, sound, title, volume, "
          + "lamp.isOn, track.ID.name"
      ),
      ("volume", "loud", "invalid: binding.volume: expected an integer, found a text"),
      ("level", 300, "invalid: binding.level: 300 is not within 0...255"),
      (
        "track.7.length", 3,
        "not-settable: track.7.length may not be set from outside; there are level, sound, title, "
          + "volume, lamp.isOn, track.ID.name"
      ),
      (
        "lamp.isOn", true,
        "not-settable: no reducer of the app applies lamp.isOn: its BindingReducer() is missing"
      ),
      ("track.9.name", "x", "gone: what track.9.name belongs to is not there any more"),
    ] as [(String, Value, String)])
  func refused(field: String, value: Value, message: String) async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let connection = try await rig.connect()
    let failure = await #expect(throws: ActionFailure.self) {
      try await connection.perform(Entry(.set(field: field, value: value.encoded())))
    }
    #expect(failure?.description == message)
    await rig.stop()
  }

  @Test("An action that sets what may not be set is refused by what may be")
  func unregistered() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let connection = try await rig.connect()
    let action: Value = ["binding": ["locked": "x"]]
    let failure = await #expect(throws: ActionFailure.self) {
      try await connection.perform(Entry(.perform(action: action.encoded())))
    }
    #expect(
      failure?.description == """
        not-settable: binding: locked may not be set from outside; there are level, sound, title, \
        volume
        """)
    let unknown: Value = ["bindings": ["title": "x"]]
    let other = await #expect(throws: ActionFailure.self) {
      try await connection.perform(Entry(.perform(action: unknown.encoded())))
    }
    #expect(other?.description == "unknown-action: there is no case 'bindings'")
    await rig.stop()
  }

  @Test("A missing BindingReducer is in the daemon's log, and the binding rolls back")
  func missingReducer() async throws {
    let rig = try await HostedRig(PlayerDaemon())
    let player = try await store(rig)
    var refused: [String] = []
    let observation = player.observeRefusedSets { refused.append($0.description) }
    let isOn = ViewStore(player, observe: { $0 }).binding(
      get: \.lamp.isOn, send: { Player.Action.lamp(.set(\.$isOn, $0)) })
    isOn.wrappedValue = true
    #expect(isOn.wrappedValue)
    await settle(player)
    #expect(!isOn.wrappedValue)
    #expect(
      refused == [
        "lamp.isOn was not set: not-settable: no reducer of the app applies lamp.isOn: its "
          + "BindingReducer() is missing"
      ])
    #expect(
      rig.log == [
        "Player:0: A client set 'lamp.isOn', but no reducer applied it. Add 'BindingReducer()' to "
          + "the body of the reducer whose action has that binding."
      ])
    observation.cancel()
    await rig.stop()
  }
}
