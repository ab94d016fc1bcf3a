import Composable
import Showcase
import StateModel
import Testing

@Suite("Tasks")
struct TasksTests {
  private var core = ReducerCore(Tasks())
  private var state = Tasks.State()

  @discardableResult
  private mutating func perform(_ actions: Tasks.Action...) throws -> Rejection? {
    for action in actions {
      var working = state
      let cascade = core.perform(action, on: &working)
      if let rejection = cascade.rejection { return rejection }
      #expect(cascade.reports.isEmpty)
      // Every commit is mirrored exactly.
      var mirror = state
      try mirror.apply(working.delta(from: state))
      #expect(mirror.isIdentical(to: working) && mirror.digest == working.digest)
      state = working
    }
    return nil
  }

  private mutating func addThree() throws {
    try perform(.add(title: "milk"), .add(title: "bread"), .add(title: "eggs"))
  }

  private func done(_ id: Int, _ isDone: Bool = true) -> Tasks.Action {
    .task(id: id, action: .set(\.$isDone, isDone))
  }

  @Test("tasks are added, edited by binding, done, and moved; numbers are never given twice")
  mutating func list() throws {
    try addThree()
    try perform(
      .task(id: 2, action: .set(\.$title, "rye bread")), done(3), .move(id: 3, to: 0))
    #expect(state.items.map(\.id) == [3, 1, 2])
    #expect(state.items.map(\.title) == ["eggs", "milk", "rye bread"])
    #expect(state.items.map(\.isDone) == [true, false, false])
    try perform(.move(id: 3, to: 99), .move(id: 2, to: -4))
    #expect(state.items.map(\.id) == [2, 1, 3])
    try perform(.deleteButtonTapped(id: 3), .dialog(.presented(.delete(id: 3))))
    try perform(.add(title: "tea"))
    #expect(state.items.map(\.id) == [2, 1, 4])
  }

  @Test("what is done is counted, however it came about")
  mutating func counting() throws {
    try addThree()
    try perform(done(1), done(1), done(2), done(3), done(3, false))
    #expect(state.doneCount == 2)
    try perform(.deleteButtonTapped(id: 1), .dialog(.presented(.delete(id: 1))))
    #expect(state.doneCount == 1)
    try perform(.deleteDoneButtonTapped, .dialog(.presented(.deleteDone)))
    #expect(state.doneCount == 0)
    #expect(state.items.map(\.id) == [3])
    #expect(try perform(.deleteDoneButtonTapped) == Rejection("no task is done"))
  }

  @Test("deleting asks first; the question goes with any answer, and another takes its place")
  mutating func deleting() throws {
    try addThree()
    try perform(.deleteButtonTapped(id: 2))
    let dialog = try #require(state.dialog)
    #expect(dialog.title == "Delete \"bread\"?")
    #expect(dialog.buttons.map(\.label) == ["Delete", "Keep"])
    #expect(dialog.buttons.map(\.role) == [.destructive, .cancel])
    #expect(state.items.count == 3)
    try perform(.dialog(.dismiss))
    #expect(state.dialog == nil)
    #expect(state.items.count == 3)
    try perform(.deleteButtonTapped(id: 2), .deleteButtonTapped(id: 3))
    #expect(state.dialog?.title == "Delete \"eggs\"?")
    try perform(.dialog(.presented(.delete(id: 3))))
    #expect(state.dialog == nil)
    #expect(state.items.map(\.id) == [1, 2])
    #expect(
      try perform(.deleteButtonTapped(id: 3))
        == Rejection("there is no task 3: somebody may have deleted it"))
    #expect(try perform(.move(id: 3, to: 0)) != nil)
  }

  @Test(
    "a title that is none, or too long, is refused, added or set",
    arguments: [
      ("", "not \"\""), (" \n", "not \" \n\""), (String(repeating: "x", count: 257), "not 257"),
    ])
  mutating func titles(title: String, end: String) throws {
    try addThree()
    let rejection = Rejection(
      code: "invalid", "a title has 1 to 256 bytes and something to read, \(end)")
    #expect(try perform(.add(title: title)) == rejection)
    #expect(try perform(.task(id: 1, action: .set(\.$title, title))) == rejection)
    #expect(state.items[id: 1]?.title == "milk")
  }

  @Test("a filter is the view's parameter")
  mutating func filters() throws {
    try addThree()
    try perform(done(2))
    func ids(_ filter: Tasks.Filter?) -> [Int] { Tasks.ViewState(state, filter).items.map(\.id) }
    #expect(ids(nil) == [1, 2, 3])
    #expect(ids(.open) == [1, 3])
    #expect(ids(.done) == [2])
    #expect(ids(.titled("gg")) == [3])
    let view = Tasks.ViewState(state, .open)
    #expect((view.count, view.doneCount) == (3, 1))
    #expect(try Tasks.Filter?(["titled": "gg"] as Value) == .titled("gg"))
    #expect(try Tasks.Filter?(Value.null) == nil)
    #expect(try Tasks.Filter?("open" as Value) == .open)
  }

  @Test("an action for a task that is gone is reported, and changes nothing")
  mutating func gone() throws {
    try addThree()
    var working = state
    let cascade = core.perform(done(9), on: &working)
    #expect(cascade.reports.count == 1)
    #expect(cascade.absentChildCount == 1)
    #expect(working == state)
  }

  @Test("in the app, the tasks are one of its features, and its question is one of the app's")
  func inApp() throws {
    var core = ReducerCore(ShowcaseApp())
    var state = ShowcaseApp.State()
    _ = core.perform(.tasks(.add(title: "milk")), on: &state)
    _ = core.perform(.tasks(.deleteButtonTapped(id: 1)), on: &state)
    let dialog = try #require(state.tasks.dialog)
    let answer = try AlertAnswer(
      to: dialog.id, button: 0, in: state, of: ShowcaseApp.alertPlaces)
    #expect(answer.action == .tasks(.dialog(.presented(.delete(id: 1)))))
    _ = core.perform(answer, on: &state)
    #expect(state.tasks.items.isEmpty)
    #expect(state.tasks.dialog == nil)
    #expect(ShowcaseApp.ViewState(state).taskCount == 0)
  }

  @Test("a journal's state from before there were settings and tasks is read, with none")
  func older() throws {
    var value = Value(of: ShowcaseApp.State())
    value["settings"] = nil
    value["tasks"] = nil
    #expect(try ShowcaseApp.State(encoded: value.encoded()) == ShowcaseApp.State())
  }
}
