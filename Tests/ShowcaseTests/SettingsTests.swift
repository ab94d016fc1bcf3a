import Composable
import Showcase
import StateModel
import Testing

@Suite("Settings")
@MainActor
struct SettingsTests {
  private let store: StoreOf<Settings>

  init() { store = Store(initialState: Settings.State()) { Settings() } }

  private var view: ViewStore<Settings.ViewState, Settings.Action> {
    ViewStore(store, observe: Settings.ViewState.init)
  }

  @Test("every field is a binding: text, toggle, number, picker, and the file as a whole")
  func fields() {
    let view = view
    view.$displayName.wrappedValue = "Ada"
    view.$isNotifying.wrappedValue = false
    view.$volume.wrappedValue = 80
    view.$theme.wrappedValue = .dark
    view.$file.font.wrappedValue = "Serif"
    view.$file.wrapsLines.wrappedValue = true
    #expect(store.state.displayName == "Ada")
    #expect(!store.state.isNotifying)
    #expect(store.state.volume == 80)
    #expect(store.state.theme == .dark)
    #expect(store.state.file.font == "Serif")
    #expect(store.state.file.fontSize == 12)
    #expect(view.state == Settings.ViewState(store.state))
    store.send(.resetButtonTapped)
    #expect(store.state == Settings.State())
  }

  @Test(
    "a volume and a font's size beyond the ends are brought back to the nearest",
    arguments: [(-1, 0), (0, 0), (100, 100), (101, 100), (Int.min, 0)])
  func clamping(volume: Int, clamped: Int) {
    view.$volume.wrappedValue = volume
    #expect(store.state.volume == clamped)
    view.$file.fontSize.wrappedValue = volume
    #expect(store.state.file.fontSize == min(max(volume, 6), 72))
  }

  @Test("a name that is too long is refused, and says how long it may be")
  func longName() {
    var core = ReducerCore(Settings())
    var state = Settings.State()
    let name = String(repeating: "ä", count: 33)
    let cascade = core.perform(.set(\.$displayName, name), on: &state)
    #expect(
      cascade.rejection
        == Rejection(code: "invalid", "a name has at most 64 bytes, not 66"))
    view.$displayName.wrappedValue = name
    #expect(store.state.displayName == "")
  }

  @Test("a picker's choices are its cases, as a word on the wire")
  func picker() throws {
    #expect(Settings.Theme.allCases.map { Value(of: $0) } == ["system", "light", "dark"])
    let action = try Settings.Action(["binding": ["theme": "dark"]] as Value)
    #expect(action == .set(\.$theme, .dark))
    let failure = #expect(throws: DecodingFailure.self) {
      try Settings.Action(["binding": ["theme": "pink"]] as Value)
    }
    #expect(failure?.description.contains("pink") == true)
  }

  @Test("Rule 16: the editor holds the file as a binding, and is compared by what it last saw")
  func editor() {
    let view = view
    let editor = Store(initialState: ConfigEditor.State(file: view.$file)) { ConfigEditor() }
    var shown: [ConfigEditor.State] = []
    let observation = ViewStore(editor, observe: { $0 }).observe { shown.append($0) }
    editor.send(.fontSizeStepped(by: 3))
    #expect(store.state.file.fontSize == 15)
    editor.send(.wrapToggled)
    editor.send(.fontPicked("Sans"))
    #expect(store.state.file.font == "Sans")
    #expect(editor.state.edits == 3)
    #expect(shown.map(\.shown.fontSize) == [12, 15, 15, 15])
    #expect(shown.map(\.shown.wrapsLines) == [false, false, true, true])

    // Changed where it is: the editor's state is what it was until it looks.
    let before = editor.state
    store.send(.resetButtonTapped)
    #expect(editor.state == before)
    #expect(editor.state.file.wrappedValue == Settings.ConfigFile())
    editor.send(.fileChanged)
    #expect(editor.state != before)
    #expect(editor.state.shown == Settings.ConfigFile())
    // The reducer of the settings has the last word.
    editor.send(.fontSizeStepped(by: 1_000))
    #expect(editor.state.shown.fontSize == 72)
    observation.cancel()
  }
}
