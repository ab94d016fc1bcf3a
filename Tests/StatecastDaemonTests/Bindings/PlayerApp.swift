import Composable
import StateModel
import StatecastDaemon

/// An app for tests of bindings between processes: fields that are set, clamped, rejected, of
/// elements that may be gone, and of a child whose `BindingReducer` was forgotten.
struct Player: Reducer {
  @Mirrored struct State {
    @Mirrored struct Sound {
      var bass = 0
      var treble = 0
    }

    @BindingState var volume = 10
    @BindingState var title = ""
    @BindingState var level: UInt8 = 0
    @BindingState var sound = Sound()
    var locked = "locked"
    var tracks: IdentifiedArray<Track.State> = [Track.State(id: 7), Track.State(id: 8)]
    var lamp = Lamp.State()
    var log: [String] = []

    var panel: Panel {
      get { Panel(title: title, amount: volume) }
      set {
        title = newValue.title
        volume = newValue.amount
      }
    }
  }

  /// A view state with bindings of its own.
  @Mirrored struct Panel {
    @BindingState var title: String
    @BindingState var amount: Int
  }

  @Mirrored enum Action: BindableAction {
    case binding(BindingAction<State>)
    case track(id: Int, action: Track.Action)
    case lamp(Lamp.Action)
    case remove(Int)
    case note(String)

    static func panel(_ action: PanelAction) -> Action {
      switch action {
      case .binding(let binding):
        .binding(binding.pullback(\.panel, aliases: ["amount": "volume"]))
      }
    }
  }

  @Mirrored enum PanelAction: BindableAction {
    case binding(BindingAction<Panel>)
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.$volume): state.volume = min(max(state.volume, 0), 100)
      case .binding(\.$title):
        if state.title == "forbidden" { return .reject("this title is taken") }
        state.log.append("title \(state.title)")
      case .binding, .track, .lamp: break
      case .remove(let id): state.tracks[id: id] = nil
      case .note(let text): state.log.append(text)
      }
      return .none
    }
    Scope(state: \.lamp, action: Action.toLamp) { Lamp() }
    EmptyReducer<State, Action>()
      .forEach(\.tracks, action: Action.toTrack) { Track() }
  }
}

extension Player.Action {
  static let toLamp = CasePath(Self.lamp) {
    if case .lamp(let action) = $0 { action } else { nil }
  }
  static let toTrack = CasePath<Player.Action, (Int, Track.Action)>(
    name: "track", embed: { .track(id: $0.0, action: $0.1) },
    extract: { if case .track(let id, let action) = $0 { (id, action) } else { nil } })
}

/// An element whose name is set by a binding.
struct Track: Reducer {
  @Mirrored struct State: Identifiable {
    var id: Int
    @BindingState var name = ""
  }

  @Mirrored enum Action: BindableAction {
    case binding(BindingAction<State>)
  }

  var body: some ReducerOf<Self> { BindingReducer() }
}

/// A child that forgot its `BindingReducer`.
struct Lamp: Reducer {
  @Mirrored struct State {
    @BindingState var isOn = false
  }

  @Mirrored enum Action: BindableAction {
    case binding(BindingAction<State>)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// The daemon of the player.
struct PlayerDaemon: DaemonApp {
  /// A view state that carries its bindings.
  @Mirrored struct Carried {
    @ViewStateBinding<Player.State, String> var title: String
    @ViewStateBinding<Player.State, Int> var volume: Int

    init(_ state: Player.State) {
      _title = ViewStateBinding(state, \.$title)
      _volume = ViewStateBinding(state, \.$volume)
    }
  }

  var name: String { "player" }
  var reducer: Player { Player() }
  var initialState: Player.State { Player.State() }
  var views: [ViewDefinition<Player.State>] {
    [
      ViewDefinition("player") { $0 },
      ViewDefinition("panel") { $0.panel },
      ViewDefinition("carried", Carried.init),
    ]
  }
}
