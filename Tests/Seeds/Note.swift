// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Composable
public import StateModel

/// The first seed: a field that may be set from outside, shown by a view state.
public struct Note: Reducer {
  @Mirrored public struct State {
    @BindingState public var text = ""
    /// Not for views: what happened to the text.
    public var changes: [String] = []

    /// The view state of the third way.
    public var shown: TextViewState {
      get { .init(text: text) }
      set { text = newValue.text }
    }

    public init() {}
  }

  @Mirrored public enum Action: BindableAction {
    case binding(BindingAction<State>)

    public static func shown(_ action: TextViewAction) -> Action {
      switch action {
      case .binding(let action): .binding(action.pullback(\.shown))
      }
    }
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      if case .binding(\.$text) = action { state.changes.append(state.text) }
      return .none
    }
  }
}

/// What a view with a text field has: what stands in it, and the binding that is given to it.
public protocol TextView<TheStore> {
  associatedtype TheStore: StoreProtocol<Note.State, Note.Action>
  init(store: TheStore)
  var text: String { get }
  var field: Binding<String> { get }
}

@Mirrored public struct CarriedTextViewState {
  @ViewStateBinding<Note.State, String> public var text: String

  init(state: Note.State) { _text = ViewStateBinding(state, \.$text) }
}

/// The first way: the view state carries the field in a property wrapper.
public struct CarriedTextView<TheStore: StoreProtocol<Note.State, Note.Action>>: TextView {
  let viewStore: ViewStore<CarriedTextViewState, Note.Action>

  public init(store: TheStore) {
    viewStore = ViewStore(store, observe: CarriedTextViewState.init(state:))
  }

  public var text: String { viewStore.text }
  public var field: Binding<String> { viewStore.$text }
}

public struct NamedTextViewState: Equatable {
  let heading: String

  init(state: Note.State) { heading = state.text }
}

/// The second way: the view names the field behind what it shows.
public struct NamedTextView<TheStore: StoreProtocol<Note.State, Note.Action>>: TextView {
  let viewStore: ViewStore<NamedTextViewState, Note.Action>

  public init(store: TheStore) { viewStore = ViewStore(store, observe: NamedTextViewState.init) }

  public var text: String { viewStore.heading }
  public var field: Binding<String> { viewStore.binding(\.$text, as: \.heading) }
}

/// The actions of the third way's view.
@Mirrored public enum TextViewAction: BindableAction {
  case binding(BindingAction<TextViewState>)
}

/// The view state of the third way: bindable itself.
@Mirrored public struct TextViewState {
  @BindingState public var text: String
}

/// The third way: view state and view actions of its own, pulled back to the feature's.
public struct OfficialTextView<TheStore: StoreProtocol<Note.State, Note.Action>>: TextView {
  let viewStore: ViewStore<TextViewState, TextViewAction>

  public init(store: TheStore) {
    viewStore = ViewStore(store, observe: { $0.shown }, send: Note.Action.shown)
  }

  public var text: String { viewStore.text }
  public var field: Binding<String> { viewStore.binding(\.$text) }
}

/// The fourth way: a view state that knows of no bindings, and a closure that makes the action.
public struct PlainTextView<TheStore: StoreProtocol<Note.State, Note.Action>>: TextView {
  let viewStore: ViewStore<String, Note.Action>

  public init(store: TheStore) { viewStore = ViewStore(store, observe: { $0.text }) }

  public var text: String { viewStore.state }
  public var field: Binding<String> {
    viewStore.binding(get: { $0 }, send: { .set(\.$text, $0) })
  }
}

/// All four ways on one store.
public func textViews<TheStore: StoreProtocol<Note.State, Note.Action>>(
  _ store: TheStore
) -> [(name: String, view: any TextView)] {
  [
    ("carried", CarriedTextView(store: store)), ("named", NamedTextView(store: store)),
    ("official", OfficialTextView(store: store)), ("plain", PlainTextView(store: store)),
  ]
}
