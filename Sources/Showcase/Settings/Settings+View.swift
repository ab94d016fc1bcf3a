public import Composable
public import StateModel

extension Settings {
  /// What the view `settings` shows: every field with its way back, so that `viewStore.$volume` is a
  /// binding.
  @Mirrored public struct ViewState {
    /// What the user wants to be called.
    @ViewStateBinding<State, String> public var displayName: String
    /// Whether the user wants to be told of what happens.
    @ViewStateBinding<State, Bool> public var isNotifying: Bool
    /// How loud.
    @ViewStateBinding<State, Int> public var volume: Int
    /// How it looks.
    @ViewStateBinding<State, Theme> public var theme: Theme
    /// What is kept in the config file.
    @ViewStateBinding<State, ConfigFile> public var file: ConfigFile

    /// The view of a state.
    public init(_ state: State) {
      _displayName = ViewStateBinding(state, \.$displayName)
      _isNotifying = ViewStateBinding(state, \.$isNotifying)
      _volume = ViewStateBinding(state, \.$volume)
      _theme = ViewStateBinding(state, \.$theme)
      _file = ViewStateBinding(state, \.$file)
    }
  }
}
