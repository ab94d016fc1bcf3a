import Composable
import Seeds
import StatecastTesting
import Testing

@Suite("First seed: view state and bindings", .timeLimit(.minutes(5)))
@MainActor
struct NoteSeedTests {
  @Test("Rule 15: each of the four ways shows the field and sets it")
  func ways() {
    let store = Store(initialState: Note.State()) { Note() }
    for (name, view) in textViews(store) {
      view.field.wrappedValue = name
      #expect(view.text == name)
      #expect(view.field.wrappedValue == name)
    }
    #expect(store.state.changes == ["carried", "named", "official", "plain"])
  }

  @Test("Rule 15: what one view sets the others show, and no other field is touched")
  func together() {
    let store = Store(initialState: Note.State()) { Note() }
    let views = textViews(store)
    views[2].view.field.wrappedValue = "shared"
    for (name, view) in views { #expect(view.text == "shared", "\(name)") }
    #expect(
      store.state.changes == ["shared"], "the official way sets the field, not the view state")
  }

  @Test("Rule 15: all four make the same action")
  func sameAction() async {
    let store = TestStore(initialState: Note.State()) { Note() }
    let official = BindingAction<TextViewState>.set(\.$text, "a")
    for action in [Note.Action.set(\.$text, "a"), .shown(.binding(official))] {
      #expect(action == .set(\.$text, "a"))
      await store.send(action) {
        $0.text = "a"
        $0.changes.append("a")
      }
    }
  }

  @Test("Rule 14: a field is cleared by an action that anybody may send")
  func clearing() async {
    let store = TestStore(initialState: Note.State()) { Note() }
    await store.send(.set(\.$text, "a")) {
      $0.text = "a"
      $0.changes = ["a"]
    }
    await store.send(.set(\.$text, "")) {
      $0.text = ""
      $0.changes = ["a", ""]
    }
  }
}
