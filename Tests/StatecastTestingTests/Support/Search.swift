import Composable
import StateModel

/// A search as one types: what test stores are tested with.
struct Search: Reducer {
  @Mirrored struct State {
    var query = ""
    var results: [String] = []
    var isSearching = false
    var ticks = 0
    @BindingState var limit = 10
  }

  @CasePathable @Mirrored enum Action: BindableAction {
    case binding(BindingAction<State>)
    /// Sends two more at once.
    case cleared
    case emptied
    case forgotten
    case queryChanged(String)
    case responded([String])
    case started
    case ticked
    case stopped
    case rolled
    case refused
    case refusedLater
    case saved
  }

  enum CancelID { case search, timer }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.searchClient) var client
  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding, .saved: return .none
      case .cleared:
        state.query = ""
        return .merge(.send(.emptied), .send(.forgotten))
      case .emptied:
        state.results = []
        return .none
      case .forgotten:
        state.isSearching = false
        return .none
      case .queryChanged(let query):
        state.query = query
        state.isSearching = true
        return .run { [client] send in await send(.responded(try await client.search(query))) }
          .debounce(id: CancelID.search, for: .milliseconds(300))
      case .responded(let results):
        state.results = results
        state.isSearching = false
        return .none
      case .started:
        return .run { [clock] send in
          while true {
            try await clock.sleep(for: .seconds(1))
            await send(.ticked)
          }
        }
        .cancellable(id: CancelID.timer)
      case .ticked:
        state.ticks += 1
        return .none
      case .stopped: return .cancel(id: CancelID.timer)
      case .rolled:
        state.query = "\(uuid())"
        return .none
      case .refused: return .reject(code: "invalid", "there is nothing to search")
      case .refusedLater:
        return .run { send in await send(.refused) }
      }
    }
  }
}

/// Who searches.
struct SearchClient: Sendable {
  var search: @Sendable (String) async throws -> [String]
}

extension DependencyValues {
  var searchClient: SearchClient {
    get { self[SearchKey.self] }
    set { self[SearchKey.self] = newValue }
  }

  private enum SearchKey: DependencyKey {
    static let liveValue = SearchClient { _ in [] }
  }
}
