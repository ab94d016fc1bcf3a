public import Composable
import StateModel

/// A feature of a client: an editor of the config file, which it holds as a binding to wherever the
/// file is: in this process, or in a daemon.
///
/// Its state is equatable although a binding is not: an `EquatableBinding` is compared by what the
/// file was when it was stored.
public struct ConfigEditor: Reducer {
  /// The editor.
  public struct State: Equatable {
    /// The file, where it is.
    @EquatableBinding<Settings.ConfigFile> public var file: Binding<Settings.ConfigFile>
    /// How often it was edited here.
    public var edits = 0

    /// An editor of a file.
    public init(file: Binding<Settings.ConfigFile>) {
      _file = EquatableBinding(wrappedValue: file)
    }

    /// The file as the editor last saw it.
    public var shown: Settings.ConfigFile { $file.snapshot }
  }

  /// What can happen.
  public enum Action: Sendable {
    /// A larger or smaller font.
    case fontSizeStepped(by: Int)
    /// Another font.
    case fontPicked(String)
    /// Lines are wrapped from now on, or not any more.
    case wrapToggled
    /// The file has changed where it is.
    case fileChanged
  }

  /// An editor.
  public init() {}

  /// Edits the file through the binding, and looks at it again.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .fontSizeStepped(let points): state.edit { $0.fontSize += points }
    case .fontPicked(let name): state.edit { $0.font = name }
    case .wrapToggled: state.edit { $0.wrapsLines.toggle() }
    case .fileChanged: state.look()
    }
    return .none
  }
}

extension ConfigEditor.State {
  /// Edits the file.
  fileprivate mutating func edit(_ change: (inout Settings.ConfigFile) -> Void) {
    var file = file.wrappedValue
    change(&file)
    self.file.wrappedValue = file
    edits += 1
    look()
  }

  /// Storing the binding again takes a new snapshot.
  fileprivate mutating func look() { file = file }
}
