import Composable
import Showcase
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

@testable import statecast

extension Spawned {
  @Suite("The Showcase's features from the command line")
  struct ToolFeatureTests {
    let folder: ScratchFolder
    let daemon: DaemonProcess

    init() async throws {
      folder = try ScratchFolder()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
    }

    private func run(_ words: String...) async throws -> Workshop.Run {
      try await Workshop.finish(
        Workshop.tool, words + ["--folder", folder.path, "--timeout", Workshop.patience],
        in: folder)
    }

    @Test("Settings are set by name, clamped by the reducer, refused where they do not fit")
    func settings() async throws {
      for (field, value) in [
        ("displayName", "Ada"), ("isNotifying", "false"), ("volume", "250"), ("theme", "dark"),
        ("file", #"{"font": "Serif", "fontSize": 3, "wrapsLines": true}"#),
      ] {
        let set = try await run("set", "settings.\(field)", value)
        #expect(set.ending == .exited(0), "\(field): \(set.errors)")
      }
      let settings = try #require(try await run("get", "settings").lines.first)
      #expect(settings["volume"]?["value"]?.integer == 100)
      #expect(settings["theme"] == ["field": "theme", "value": "dark"])
      #expect(settings["displayName"]?["value"]?.string == "Ada")
      #expect(settings["file"]?["value"] == ["font": "Serif", "fontSize": 6, "wrapsLines": true])
      let pink = try await run("set", "settings.theme", "pink")
      #expect(pink.ending == .exited(4))
      #expect(
        pink.errors.contains(
          "not applied: invalid: settings.binding.theme: there is no case 'pink'"))
      #expect(try await run("send", "settings.resetButtonTapped").ending == .exited(0))
      #expect(
        try await run("get", "settings").lines.first?["volume"]?["value"]?.integer == 50)
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Tasks are added, edited, moved, filtered, and deleted by whoever answers the dialog")
    func tasks() async throws {
      for title in ["milk", "bread", "eggs"] {
        let added = try await run("send", "tasks.add", #"{"title": "\#(title)"}"#)
        #expect(added.ending == .exited(0), "\(added.errors)")
      }
      let watch = try Conversation(
        Workshop.tool, ["watch", "tasks", "open", "--folder", folder.path], at: .pipe,
        name: "watch", in: folder)
      try await watch.wait(for: "eggs")
      #expect(try await run("set", "tasks.task.2.title", "rye bread").ending == .exited(0))
      try await watch.wait(for: "rye bread")
      #expect(try await run("set", "tasks.task.1.isDone", "true").ending == .exited(0))
      #expect(try await run("send", "tasks.move", #"{"id": 3, "to": 0}"#).ending == .exited(0))
      let titles = try #require(try await run("get", "tasks").lines.first?["items"]?.elements)
      #expect(titles.map { $0["title"]?.string } == ["eggs", "milk", "rye bread"])
      let open = try #require(try await run("get", "tasks", "open").lines.first?["items"]?.elements)
      #expect(open.map { $0["id"]?.integer } == [3, 2])
      let found = try await run("get", "tasks", #"{"titled": "rye"}"#).lines.first
      #expect(found?["items"]?.elements?.count == 1)
      #expect(found?["count"]?.integer == 3)

      let gone = try await run("set", "tasks.task.9.title", "x")
      #expect(
        gone.errors.hasPrefix(
          "Error: the action was not applied: gone: what tasks.task.9.title belongs to is not there"
        ), "\(gone.errors)")

      let terminal = try Conversation(
        Workshop.tool, ["attach", "tasks", "--folder", folder.path], at: .terminal,
        name: "attach", in: folder)
      try await terminal.wait(for: "tasks at ")
      terminal.type("tasks.task.3.title = \"six eggs\"\r")
      try await terminal.wait(for: "six eggs")
      #expect(
        try await run("send", "tasks.deleteButtonTapped", #"{"id": 2}"#).ending == .exited(0))
      try await terminal.wait(for: "== Delete \"rye bread\"?\r\n")
      try await terminal.wait(for: "1) Delete")
      // Answered from another process; the terminal sees it go.
      let answer = try await run("answer", "1", "tasks")
      #expect(answer.ending == .exited(0), "\(answer.errors)")
      try await terminal.wait(for: "-- It was answered.")
      let left = try #require(try await run("get", "tasks").lines.first)
      #expect(left["items"]?.elements?.map { $0["id"]?.integer } == [3, 1])
      #expect(left["dialog"] == .null)
      let nothing = try await run("answer", "1", "tasks")
      #expect(nothing.ending == .exited(4))
      #expect(nothing.errors.hasPrefix("Error: nothing is asked in the view tasks\n"))
      terminal.type("\u{4}")
      _ = await terminal.process.waitUntilEnded()
      watch.process.signal(15)
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("schema names what can be sent and set, an element by its place")
    func schema() async throws {
      let lines = try await run("schema").output.split(separator: "\n")
      for line in [
        "send settings.resetButtonTapped", "send tasks.add", "send tasks.deleteDoneButtonTapped",
        "set settings.volume", "set tasks.task.ID.title", "set counter.step",
      ] {
        #expect(lines.contains { $0 == line || $0.hasPrefix("\(line) ") }, "\(line)")
      }
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @MainActor
    @Test("Rule 16: a client's editor holds the daemon's config file as an equatable binding")
    func editor() async throws {
      let store = try await daemon.connect().store(
        "settings", of: Settings.ViewState.self, action: ShowcaseApp.Action.self)
      let view = ViewStore(store, observe: { $0 }, send: ShowcaseApp.Action.settings)
      let editor = Store(initialState: ConfigEditor.State(file: view.$file)) { ConfigEditor() }
      let file = view.$file.observe { _ in editor.send(.fileChanged) }
      editor.send(.fontSizeStepped(by: 100))
      #expect(editor.state.shown.fontSize == 112, "what was set is shown at once")
      #expect(view.file.fontSize == 12)
      var sizes = view.$file.fontSize.values.makeAsyncIterator()
      #expect(await sizes.next() == 112)
      #expect(await sizes.next() == 72)
      #expect(editor.state.shown.fontSize == 72, "the reducer has the last word")
      // Another process edits the same file.
      let other = try await run(
        "set", "settings.file", #"{"font": "Mono", "fontSize": 20, "wrapsLines": false}"#)
      #expect(other.ending == .exited(0), "\(other.errors)")
      #expect(await sizes.next() == 20)
      #expect(editor.state.shown.fontSize == 20)
      file.cancel()
      await store.connection.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Two processes share a value through the workspace in two lines each")
    func shared() async throws {
      var options = DaemonConnection.Options(endpoints: daemon.endpoints)
      options.timeout = .seconds(20)
      @Shared("player/volume", on: options) var volume = 0.5
      volume = 0.75
      var values = $volume.makeAsyncIterator()
      #expect(await values.next() == 0.75)
      try await $volume.ready()
      try await $volume.set(0.25)
      #expect(try await run("get", "workspace", "/player").output == "{\"volume\":0.25}\n")
      // From JSON, where a whole number is one.
      let set = try await run("send", "workspace.set", #"{"path": "/player/volume", "value": 1}"#)
      #expect(set.ending == .exited(0), "\(set.errors)")
      while volume != 1 { _ = await values.next() }
      let text = try await run(
        "send", "workspace.set", #"{"path": "/player/volume", "value": "loud"}"#)
      #expect(text.ending == .exited(0))
      // A parent that is something else stays.
      @Shared("player/volume/left", on: options) var left = 1
      try await $left.ready()
      let failure = await #expect(throws: ActionFailure.self) { try await $left.set(2) }
      #expect(failure?.code == .rejected)
      #expect(try await run("get", "workspace", "/player").output == "{\"volume\":\"loud\"}\n")
      #expect(volume == 1)
      #expect($volume.staleness?.hasPrefix("what is there does not fit: ") == true)
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
