import Composable
import Seeds
import StatecastTesting
import Testing

@Suite("Second seed: an equatable binding", .timeLimit(.minutes(5)))
@MainActor
struct ConfigFileSeedTests {
  /// Where the configuration lives: outside of every state.
  final class Disk {
    var file = ConfigFile()
    var reads = 0
    var binding: Binding<ConfigFile> {
      Binding(
        get: {
          self.reads += 1
          return self.file
        }, set: { self.file = $0 })
    }
  }

  @Test("Rule 16: a state holds a binding and is equatable; setting it sets the source")
  func held() async {
    let disk = Disk()
    let store = TestStore(initialState: ConfigWindow.State(configFile: disk.binding)) {
      ConfigWindow()
    }
    await store.send(.languagePicked("ja")) {
      var file = ConfigFile()
      file.language = "ja"
      $0 = ConfigWindow.State(configFile: .constant(file))
    }
    #expect(disk.file.language == "ja")
    await store.send(.languagePicked("ja"))
  }

  @Test("Rule 16: two copies over one source differ once the source has changed between them")
  func snapshots() async {
    let disk = Disk()
    let before = ConfigWindow.State(configFile: disk.binding)
    disk.file.excluded = ["build"]
    let after = ConfigWindow.State(configFile: disk.binding)
    #expect(before != after, "the article's '==' reads both live, and finds them equal")
    #expect(before.configFile.wrappedValue == after.configFile.wrappedValue)
    let store = TestStore(initialState: before) { ConfigWindow() }
    await store.send(.fileChanged) { $0 = after }
  }

  @Test("Rule 16: comparing reads no source")
  func noReading() {
    let disk = Disk()
    let states = [1, 2].map { _ in ConfigWindow.State(configFile: disk.binding) }
    let reads = disk.reads
    #expect(states[0] == states[1])
    #expect(disk.reads == reads)
  }

  @Test("Rule 16: a part of the configuration is a binding too")
  func parts() {
    let disk = Disk()
    let state = ConfigWindow.State(configFile: disk.binding)
    state.configFile.language.wrappedValue = "ko"
    state.configFile.excluded.wrappedValue.append("x")
    #expect(disk.file.language == "ko")
    #expect(disk.file.excluded == ["x"])
  }
}
