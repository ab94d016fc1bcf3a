import Composable
import Seeds
import StatecastTesting
import Testing

@Suite("Third seed: alert and dialog", .timeLimit(.minutes(5)))
@MainActor
struct QuestionSeedTests {
  @Test("Rule 20: alert and dialog come, count and go, action by action")
  func actions() async {
    let store = TestStore(initialState: Question.State()) { Question() }
    await store.send(.alertButtonTapped) {
      $0.alert = AlertState(
        title: "Take note!", message: "It can count.",
        buttons: [.cancel("Not now"), .default("Up", action: .send(.incrementButtonTapped))])
    }
    await store.send(.incrementButtonTapped) {
      $0.alert = AlertState(title: "Went up")
      $0.count = 1
    }
    await store.send(.alertDismissed) { $0.alert = nil }
    await store.send(.confirmationDialogButtonTapped) {
      $0.confirmationDialog = ConfirmationDialogState(
        title: "Which way?", message: "Either counts.",
        buttons: [
          .cancel("Not now"), .default("Up", action: .send(.incrementButtonTapped)),
          .default("Down", action: .send(.decrementButtonTapped)),
        ])
    }
    await store.send(.decrementButtonTapped) {
      $0.alert = AlertState(title: "Went down")
      $0.count = 0
    }
    await store.send(.confirmationDialogDismissed) { $0.confirmationDialog = nil }
  }

  @Test("Rule 20: a view shows the question that is up, and its answer counts and takes it away")
  func view() throws {
    let store = Store(initialState: Question.State()) { Question() }
    let view = QuestionView(store: store)
    #expect(view.title == nil)
    view.tapDialog()
    #expect(view.title == "Which way?")
    #expect(view.buttons == ["Not now", "Up", "Down"])
    let id = try #require(store.state.confirmationDialog?.id)
    #expect(store.answer(id, button: 2, of: Question.places))
    #expect(store.state.count == -1)
    #expect(store.state.confirmationDialog == nil)
    #expect(view.title == "Went down", "the alert that the answer put up is another question")
  }

  @Test("Rule 5: a view of the alert alone is a scope of the store")
  func scoped() {
    let store = Store(initialState: Question.State()) { Question() }
    let alert = ViewStore(store.scope(state: { $0.alert }), observe: { $0 })
    #expect(alert.state == nil)
    store.send(.alertButtonTapped)
    #expect(alert.state?.title == "Take note!")
    alert.send(.alertDismissed)
    #expect(store.state.alert == nil)
  }
}
