import Composable
import Foundation
import StateModel

/// A shopping list: what an author who knows The Composable Architecture reaches for first.
struct Groceries: Reducer {
  @Mirrored struct Item: Identifiable {
    var id: UUID
    var name: String
    var isBought = false
  }

  @Mirrored struct State {
    var items: IdentifiedArrayOf<Item> = []
    @PresentationState var alert: AlertState<Action.Alert>?
    @BindingState var filter = ""
    var seconds = 0
    var isTiming = false
  }

  @CasePathable @Mirrored enum Action: BindableAction {
    case addButtonTapped(name: String)
    case alert(PresentationAction<Alert>)
    case binding(BindingAction<State>)
    case boughtButtonTapped(Item.ID)
    case clearButtonTapped
    case timerButtonTapped
    case timerTicked

    @Mirrored enum Alert {
      case clear
    }
  }

  enum CancelID { case timer }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .addButtonTapped(let name):
        guard !name.isEmpty else { return .reject("a thing to buy has a name") }
        state.items.append(Item(id: uuid(), name: name))
        return .none
      case .boughtButtonTapped(let id):
        state.items[id: id]?.isBought = true
        return .none
      case .clearButtonTapped:
        state.alert = AlertState {
          TextState("Clear the list?")
        } actions: {
          ButtonState(role: .destructive, action: .clear) { TextState("Clear") }
          ButtonState(role: .cancel) { TextState("Keep") }
        }
        return .none
      case .alert(.presented(.clear)):
        state.items.removeAll()
        return .none
      case .timerButtonTapped:
        state.isTiming.toggle()
        guard state.isTiming else { return .cancel(id: CancelID.timer) }
        return .run { [clock] send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.timerTicked) }
        }
        .cancellable(id: CancelID.timer)
      case .timerTicked:
        state.seconds += 1
        return .none
      case .alert, .binding:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }
}
