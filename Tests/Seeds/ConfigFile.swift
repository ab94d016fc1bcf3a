// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Composable
public import StateModel

/// The second seed: what a program is configured by, held in a state as a binding to wherever it
/// lives.
@Mirrored public struct ConfigFile {
  public var language = "en"
  public var excluded: [String] = []

  public init() {}
}

/// A window of an app that edits a configuration which is not its own.
public struct ConfigWindow: Reducer {
  public struct State: Equatable {
    public var title = "Settings"
    @EquatableBinding<ConfigFile> public var configFile: Binding<ConfigFile>

    public init(configFile: Binding<ConfigFile>) {
      _configFile = EquatableBinding(wrappedValue: configFile)
    }
  }

  public enum Action: Equatable, Sendable {
    case languagePicked(String)
    /// Somebody else has changed the file.
    case fileChanged
  }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .languagePicked(let language):
      state.configFile.wrappedValue.language = language
      state.$configFile.refresh()
    case .fileChanged: state.$configFile.refresh()
    }
    return .none
  }
}

/// Whose the configuration is: the daemon's side of the second seed.
public struct ConfigOwner: Reducer {
  @Mirrored public struct State {
    @BindingState public var configFile = ConfigFile()

    public init() {}
  }

  @Mirrored public enum Action: BindableAction {
    case binding(BindingAction<State>)
  }

  public init() {}

  public var body: some ReducerOf<Self> { BindingReducer() }
}
