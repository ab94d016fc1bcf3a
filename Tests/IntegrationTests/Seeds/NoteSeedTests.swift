import Composable
import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import Testing

extension Spawned {
  /// The ways of the first two seeds with the state in another process.
  @Suite("First and second seed, between processes")
  @MainActor
  struct BindingSeedTests {
    @Test(
      "Rules 15 and 17: each of the four ways sets the daemon's field, and the other client sees it"
    )
    func ways() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "note"])
      let store = try await daemon.store("seed", of: Note.State.self, action: Note.Action.self)
      let other = try await daemon.testStore(
        "seed", of: Note.State.self, action: Note.Action.self)
      for (name, view) in textViews(store) {
        view.field.wrappedValue = name
        #expect(view.field.wrappedValue == name, "a binding shows at once what it was set to")
        await other.receive(until: { $0.text == name })
        let step = try await other.takeSteps().last
        guard case .action(.set(\.$text, name)) = step?.what else {
          Issue.record("\(name) made another action: \(step.map { "\($0)" } ?? "none")")
          continue
        }
      }
      #expect(other.state.changes == ["carried", "named", "official", "plain"])
      for await state in store.values where state.text == "plain" { break }
      for (name, view) in textViews(store) { #expect(view.text == "plain", "\(name)") }
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("Rules 5 and 17: a part of a remote store is a store, whose bindings are optimistic, too")
    func scoped() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "note"])
      let store = try await daemon.store("seed", of: Note.State.self, action: Note.Action.self)
      let other = try await daemon.testStore(
        "seed", of: Note.State.self, action: Note.Action.self)
      let part = store.scope(state: \.shown, action: { (action: TextViewAction) in .shown(action) })
      let view = ViewStore(part, observe: { $0 })
      view.binding(\.$text).wrappedValue = "mine"
      #expect(view.binding(\.$text).wrappedValue == "mine", "at once")
      #expect(view.text == "", "and not where the daemon's is shown")
      await other.receive(until: { $0.text == "mine" })
      for await state in store.values where state.text == "mine" { break }
      #expect(view.text == "mine")
      #expect(part.text == "mine")
      // A part of the part, and one that is not there.
      #expect(part.scope(state: \.text).state == "mine")
      #expect(
        store.scope(
          ifLet: { $0.changes.dropFirst().first }, action: { (action: Note.Action) in action })
          == nil)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test(
      "Rule 16: a client holds a binding to the daemon's field in an equatable state of its own")
    func configFile() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "config"])
      let owner = try await daemon.store(
        "seed", of: ConfigOwner.State.self, action: ConfigOwner.Action.self)
      let other = try await daemon.testStore(
        "seed", of: ConfigOwner.State.self, action: ConfigOwner.Action.self)
      let source = ViewStore(owner, observe: { $0 }).binding(
        \ConfigOwner.State.$configFile, as: \.configFile)
      let window = Store(initialState: ConfigWindow.State(configFile: source)) { ConfigWindow() }
      let before = window.state
      window.send(.languagePicked("ja"))
      #expect(window.state != before)
      await other.receive(until: { $0.configFile.language == "ja" })

      // Somebody else changes the file: the window's state is the old one until it looks.
      var file = other.state.configFile
      file.excluded = ["build"]
      await other.send(.set(\.$configFile, file)) { $0.configFile.excluded = ["build"] }
      for await state in owner.values where state.configFile == file { break }
      let unaware = window.state
      window.send(.fileChanged)
      #expect(window.state != unaware)
      #expect(window.state.configFile.wrappedValue == file)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }
  }
}
