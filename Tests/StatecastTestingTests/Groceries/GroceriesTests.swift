import Composable
import Foundation
import StateModel
import StatecastTesting
import Testing

@MainActor
struct GroceriesTests {
  @Test func listIsClearedWhenAsked() async {
    let store = TestStore(initialState: Groceries.State()) {
      Groceries()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    await store.send(.addButtonTapped(name: "milk")) {
      $0.items = [Groceries.Item(id: UUID(0), name: "milk")]
    }
    await store.send(.boughtButtonTapped(UUID(0))) { $0.items[id: UUID(0)]?.isBought = true }
    await store.send(
      .addButtonTapped(name: ""), rejectedWith: Rejection("a thing to buy has a name"))
    await store.send(.binding(.set(\.$filter, "mi"))) { $0.filter = "mi" }
    await store.send(.clearButtonTapped) {
      $0.alert = AlertState {
        TextState("Clear the list?")
      } actions: {
        ButtonState(role: .destructive, action: .clear) { TextState("Clear") }
        ButtonState(role: .cancel) { TextState("Keep") }
      }
    }
    await store.send(.alert(.presented(.clear))) {
      $0.items = []
      $0.alert = nil
    }
  }

  @Test func timerTicksUntilItIsStopped() async {
    let clock = TestClock()
    let store = TestStore(initialState: Groceries.State()) {
      Groceries()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.timerButtonTapped) { $0.isTiming = true }
    await clock.advance(by: .seconds(2))
    await store.receive(\.timerTicked) { $0.seconds = 1 }
    await store.receive(\.timerTicked) { $0.seconds = 2 }
    await store.send(.timerButtonTapped) { $0.isTiming = false }
  }
}
