import Composable
import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import Testing

extension Spawned {
  @Suite("Second seed, between processes")
  @MainActor
  struct ConfigFileSeedTests {
    typealias Owner = RemoteStore<ConfigOwner.State, ConfigOwner.Action>

    func store(_ daemon: DaemonProcess) async throws -> Owner {
      try await daemon.connect().store(
        "seed", of: ConfigOwner.State.self, action: ConfigOwner.Action.self)
    }

    @Test("Rule 16: windows in two processes hold the daemon's configuration as a binding")
    func windows() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "config"])
      let (mine, other) = (try await store(daemon), try await store(daemon))
      let view = ViewStore(mine, observe: { $0 })
      let window = TestStore(
        initialState: ConfigWindow.State(configFile: view.binding(\.$configFile))
      ) {
        ConfigWindow()
      }
      // The same reducer as over a file in this process: what it sets is shown at once.
      var picked = ConfigFile()
      picked.language = "ja"
      await window.send(.languagePicked("ja")) {
        $0 = ConfigWindow.State(configFile: .constant(picked))
      }
      for await state in other.values where state.configFile.language == "ja" { break }

      // Set elsewhere: the window's state is what it was until it looks again.
      let before = window.state
      let elsewhere = ViewStore(other, observe: { $0 }).binding(\.$configFile)
      elsewhere.excluded.wrappedValue = ["build"]
      for await state in mine.values where state.configFile.excluded == ["build"] { break }
      #expect(window.state == before)
      #expect(ConfigWindow.State(configFile: view.binding(\.$configFile)) != before)
      var changed = picked
      changed.excluded = ["build"]
      await window.send(.fileChanged) {
        $0 = ConfigWindow.State(configFile: .constant(changed))
      }
      await mine.connection.close()
      await other.connection.close()
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }
  }
}
