import Composable
import FoundationEssentials
import Showcase
import StateModel
import StatecastTesting
import Testing

/// The features that clients set, fill and list themselves in, action by action.
@Suite(
  "Settings, Tasks, Presence and Refresh: what their test stores assert", .timeLimit(.minutes(5)))
@MainActor
struct FeatureStoreTests {
  @Test("Settings: a binding sets its field alone; the reducer brings back, refuses, and resets")
  func settings() async {
    let store = TestStore(initialState: Settings.State()) { Settings() }
    await store.send(.set(\.$displayName, "Ada")) { $0.displayName = "Ada" }
    await store.send(.set(\.$isNotifying, false)) { $0.isNotifying = false }
    await store.send(.set(\.$volume, 250)) { $0.volume = 100 }
    await store.send(.set(\.$volume, 100))
    await store.send(.set(\.$theme, .dark)) { $0.theme = .dark }
    var file = Settings.ConfigFile()
    file.font = "Serif"
    file.fontSize = 3
    await store.send(.set(\.$file, file)) {
      $0.file.font = "Serif"
      $0.file.fontSize = 6
    }
    await store.send(
      .set(\.$displayName, String(repeating: "x", count: 65)),
      rejectedWith: Rejection(code: "invalid", "a name has at most 64 bytes, not 65"))
    await store.send(.resetButtonTapped) { $0 = Settings.State() }
  }

  @Test("Tasks: added, edited, done, moved, and deleted once the question is answered")
  func tasks() async {
    let store = TestStore(initialState: Tasks.State()) { Tasks() }
    await store.send(.add(title: "milk")) {
      $0.items = [TaskItem.State(id: 1, title: "milk")]
      $0.nextNumber = 2
    }
    await store.send(.add(title: "bread")) {
      $0.items.append(TaskItem.State(id: 2, title: "bread"))
      $0.nextNumber = 3
    }
    await store.send(.task(id: 2, action: .set(\.$title, "rye bread"))) {
      $0.items[id: 2]?.title = "rye bread"
    }
    await store.send(.task(id: 1, action: .set(\.$isDone, true))) {
      $0.items[id: 1]?.isDone = true
      $0.doneCount = 1
    }
    await store.send(.move(id: 2, to: 0)) { $0.items.move(from: 1, to: 0) }
    await store.send(.deleteButtonTapped(id: 2)) {
      $0.dialog = ConfirmationDialogState(
        title: TextState("Delete \"rye bread\"?"),
        buttons: [
          .destructive(TextState("Delete"), action: .send(.delete(id: 2))),
          .cancel(TextState("Keep")),
        ])
    }
    await store.send(.dialog(.dismiss)) { $0.dialog = nil }
    await store.send(.deleteDoneButtonTapped) {
      $0.dialog = ConfirmationDialogState(
        title: TextState("Delete 1 tasks that are done?"),
        buttons: [
          .destructive(TextState("Delete"), action: .send(.deleteDone)),
          .cancel(TextState("Keep")),
        ])
    }
    await store.send(.dialog(.presented(.deleteDone))) {
      $0.items.remove(id: 1)
      $0.doneCount = 0
      $0.dialog = nil
    }
    await store.send(
      .deleteDoneButtonTapped, rejectedWith: Rejection("no task is done"))
    await store.send(
      .move(id: 1, to: 0),
      rejectedWith: Rejection("there is no task 1: somebody may have deleted it"))
    await store.send(
      .add(title: " "),
      rejectedWith: Rejection(
        code: "invalid", "a title has 1 to 256 bytes and something to read, not \" \""))
  }

  @Test("Presence: who comes is listed with the date, is away and back, and goes")
  func presence() async {
    let date = Date(timeIntervalSinceReferenceDate: 1_000)
    let store = TestStore(initialState: Presence.State()) {
      Presence()
    } withDependencies: {
      $0.date = .constant(date)
    }
    await store.send(.changed(.joined(client: 3, name: "bar"))) {
      $0.clients = [Presence.Client(id: 3, name: "bar", since: date)]
    }
    await store.send(.changed(.joined(client: 5, name: "editor"))) {
      $0.clients.append(Presence.Client(id: 5, name: "editor", since: date))
    }
    await store.send(.changed(.away(client: 3))) { $0.clients[id: 3]?.isAway = true }
    await store.send(.changed(.back(client: 3))) { $0.clients[id: 3]?.isAway = false }
    await store.send(.changed(.left(client: 3))) { $0.clients.remove(id: 3) }
    await store.send(.changed(.allLeft)) { $0.clients = [] }
  }

  @Test("Refresh: handles come once each and go with their owner; the trigger counts")
  func refresh() async {
    let one = Handle(owner: 3, epoch: 9, name: "refresh")
    let two = Handle(owner: 4, epoch: 9, name: "refresh")
    let store = TestStore(initialState: Refresh.State()) { Refresh() }
    await store.send(.changed(.offered(one))) { $0.handles = [one] }
    await store.send(.changed(.offered(one)))
    await store.send(.changed(.offered(two))) { $0.handles = [one, two] }
    await store.send(.refreshButtonTapped) { $0.trigger = 1 }
    await store.send(.changed(.withdrawn(one))) { $0.handles = [two] }
    await store.send(.changed(.ownerLeft(4))) { $0.handles = [] }
  }

  @Test("Refresh: a list that is full takes no more")
  func full() async {
    var full = Refresh.State()
    full.handles = (1...UInt64(Refresh.most)).map { Handle(owner: $0, epoch: 9, name: "refresh") }
    let store = TestStore(initialState: full) { Refresh() }
    await store.send(
      .changed(.offered(Handle(owner: 999, epoch: 9, name: "refresh"))),
      rejectedWith: Rejection("there are 256 handles already: one has to be withdrawn first"))
  }
}
