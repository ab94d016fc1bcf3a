import Composable
import FoundationEssentials
import StateModel
import Testing

@Suite("Rules 8 and 9: reducers that wrap reducers", .timeLimit(.minutes(5)))
@MainActor
struct HigherOrderTests {
  struct Notes: Reducer {
    @Mirrored struct State {
      var content = Content()
      var history = History<Content>()
      var feed: [String] = []
      var count = 0
    }

    @Mirrored struct Content {
      @BindingState var title = "untitled"
      var lines: [String] = []
      var mode = Mode.reading(page: 1)
    }

    @Mirrored enum Mode {
      case reading(page: Int)
      case writing
    }

    enum Action: Sendable {
      case add(String)
      case write
      case nothing
      case undo
      case redo
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .add(let line): state.content.lines.append(line)
      case .write: state.content.mode = .writing
      case .nothing: state.count += 1
      case .undo, .redo: break
      }
      return .none
    }
  }

  private static func command(_ action: Notes.Action) -> UndoCommand? {
    switch action {
    case .undo: .undo
    case .redo: .redo
    default: nil
    }
  }

  private func makeStore(limit: Int = 100) -> StoreOf<Notes> {
    Store(initialState: Notes.State()) {
      Notes().undoable(\.content, history: \.history, limit: limit, action: Self.command)
    }
  }

  @Test("Rule 9: undo goes back, redo forward again, and a new change ends what was undone")
  func undo() {
    let store = makeStore()
    for line in ["a", "b", "c"] { store.send(.add(line)) }
    store.send(.nothing)
    store.send(.undo)
    store.send(.undo)
    #expect(store.state.content.lines == ["a"])
    #expect(store.state.count == 1, "only the part goes back")
    store.send(.redo)
    #expect(store.state.content.lines == ["a", "b"])
    store.send(.add("d"))
    store.send(.redo)
    #expect(store.state.content.lines == ["a", "b", "d"])
    for _ in 1...9 { store.send(.undo) }
    #expect(store.state.content.lines == [])
    #expect(store.state.history.future.count == 3)
  }

  @Test("Rule 9: the history is bounded, and is mirrored")
  func undoLimit() throws {
    let store = makeStore(limit: 2)
    for line in ["a", "b", "c", "d"] { store.send(.add(line)) }
    #expect(store.state.history.past.map(\.lines) == [["a", "b"], ["a", "b", "c"]])
    #expect(try Notes.State(encoded: store.state.encoded()) == store.state)
  }

  @Test("Rule 9: a feed keeps the latest entries, with time and origin from the commit")
  func feed() {
    let reducer = Notes().activityFeed(\.feed, limit: 2) { _, old, new in
      @Dependency(\.date) var date
      @Dependency(\.origin) var origin
      let added = new.content.lines.dropFirst(old.content.lines.count)
      return added.map {
        "\(Int(date.now.timeIntervalSinceReferenceDate)) \(origin ?? 0) added \($0)"
      }
    }
    var core = ReducerCore(reducer)
    var state = Notes.State()
    for (number, line) in ["a", "b", "c"].enumerated() {
      _ = core.perform(
        .add(line), on: &state, facts: CommitFacts(date: Double(number), origin: 7))
    }
    _ = core.perform(.nothing, on: &state)
    #expect(state.feed == ["1 7 added b", "2 7 added c"])
  }

  @Test("Rule 9: a log line is written once the commit stands")
  func logging() async {
    let log = Log<String>()
    let store = Store(initialState: Notes.State()) {
      Notes().logging(
        { _, old, new in old.content.isIdentical(to: new.content) ? nil : "changed" },
        to: { log.add($0) })
    }
    await store.send(.add("a")).finish()
    await store.send(.nothing).finish()
    #expect(log.all == ["changed"])
  }

  @Test("Rule 8: every action's time is told")
  func measured() {
    let told = Collected<Duration>()
    let store = Store(initialState: Notes.State()) { Notes().measured { told.add($1) } }
    store.send(.add("a"))
    store.send(.nothing)
    #expect(told.values.count == 2)
    #expect(told.values.allSatisfy { $0 >= .zero })
  }

  @Test("Rule 8: _printChanges shows the actions in order, each with what it changed")
  func printChanges() async {
    let log = Log<String>()
    let store = Store(initialState: Notes.State()) {
      Notes()._printChanges(ChangePrinter { log.add(ChangePrinter.text($0, $1, $2)) })
    }
    store.send(.add("a"))
    store.send(.write)
    store.send(.undo)
    await ChangeShow.shared.shown()
    #expect(
      log.all == [
        """
        received action:
          .add(
            "a"
          )
          …
            content: Content(
              title: "untitled",
        -     lines: [],
        +     lines: [
        +       "a"
        +     ],
              mode: .reading(
                page: 1
          …
        """,
        """
        received action:
          .write
          …
                "a"
              ],
        -     mode: .reading(
        -       page: 1
        -     )
        +     mode: .writing
            ),
            history: History<Content>(
          …
        """,
        """
        received action:
          .undo
          (no change)
        """,
      ])
  }

  @Test(
    "A value is shown as lines",
    arguments: [
      ([1: "b"] as [Int: String], ["[", "  1: \"b\"", "]"]),
      (Set([2, 1]), ["[", "  1,", "  2", "]"]), (Optional<Int>.none, ["nil"]),
      ((1, name: "x"), ["(", "  1,", "  name: \"x\"", ")"]),
      (PresentationState<Int>(wrappedValue: 3), ["3"]),
      (IdentifiedArray<Item>(), ["[]"]),
    ] as [(any Sendable, [String])])
  func rendering(value: any Sendable, lines: [String]) {
    #expect(Rendering(value).lines == lines)
  }

  @Mirrored struct Item: Identifiable {
    var id = 0
  }
}
