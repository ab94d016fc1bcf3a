public import Composable
public import StateModel

/// Settings that several programs edit at the same time: every field is a binding, and what may be
/// set is what the state marks.
///
/// The reducer has the last word: a volume beyond the ends is brought back, a name that is too long
/// is refused, and whoever set it sees that.
public struct Settings: Reducer {
  /// What the volume may be; a binding beyond is brought back to the nearest end.
  public static let volumes = 0...100
  /// What the font's size may be; a binding beyond is brought back to the nearest end.
  public static let fontSizes = 6...72
  /// The longest name, in UTF-8 bytes.
  public static let longestName = 64

  /// The settings.
  @Mirrored public struct State {
    /// What the user wants to be called.
    @BindingState public var displayName = ""
    /// Whether the user wants to be told of what happens.
    @BindingState public var isNotifying = true
    /// How loud.
    @BindingState public var volume = 50
    /// How it looks.
    @BindingState public var theme = Theme.system
    /// What is kept in the config file.
    @BindingState public var file = ConfigFile()

    /// The settings of somebody who has set nothing.
    public init() {}
  }

  /// How it looks.
  @Mirrored public enum Theme: CaseIterable {
    /// As the system looks.
    case system
    /// Dark on light.
    case light
    /// Light on dark.
    case dark
  }

  /// What is kept in the config file: set as a whole, also where only a part is edited.
  @Mirrored public struct ConfigFile {
    /// The font's name.
    public var font = "Mono"
    /// Its size in points.
    public var fontSize = 12
    /// Whether long lines are wrapped.
    public var wrapsLines = false

    /// A file as it comes.
    public init() {}
  }

  /// What can happen.
  @Mirrored public enum Action: BindableAction {
    /// Sets a field.
    case binding(BindingAction<State>)
    /// Sets everything back.
    case resetButtonTapped

    /// The binding, if it is one.
    public var binding: BindingAction<State>? {
      if case .binding(let action) = self { action } else { nil }
    }
  }

  /// A reducer of the settings.
  public init() {}

  /// Applies bindings, then brings what was set into its bounds.
  public var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.$displayName):
        guard state.displayName.utf8.count <= Self.longestName else {
          return .reject(
            code: "invalid",
            "a name has at most \(Self.longestName) bytes, not \(state.displayName.utf8.count)")
        }
      case .binding(\.$volume): state.volume = state.volume.clamped(to: Self.volumes)
      case .binding(\.$file):
        state.file.fontSize = state.file.fontSize.clamped(to: Self.fontSizes)
      case .binding: break
      case .resetButtonTapped: state = State()
      }
      return .none
    }
  }
}

extension Int {
  /// The nearest number within a range.
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
