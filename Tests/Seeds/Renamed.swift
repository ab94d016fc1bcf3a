// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Composable
public import StateModel

/// An app whose settable fields, and the case that leads to those of a line, have other names in its
/// second version: what a client of the first one sets must be set all the same.
public enum Renamed {
  @Mirrored public struct Row: Identifiable {
    public let id: Int
    @BindingState public var text = ""

    @Mirrored public enum Action: BindableAction {
      case binding(BindingAction<Row>)
    }
  }

  @Mirrored public struct State {
    @BindingState public var title = ""
    @BindingState public var width = 1.0
    public var rows: IdentifiedArrayOf<Row> = []
  }

  @Mirrored public enum Action: BindableAction {
    case binding(BindingAction<State>)
    case row(id: Int, action: Row.Action)
  }

  /// A view that carries its fields.
  @Mirrored public struct Shown {
    @ViewStateBinding<State, String> public var text: String

    init(_ state: State) { _text = ViewStateBinding(state, \.$title) }
  }

  public enum Second {
    @Mirrored public struct Line: Identifiable {
      public let id: Int
      @Wire(aliases: "text") @BindingState public var label = ""

      @Mirrored public enum Action: BindableAction {
        case binding(BindingAction<Line>)
      }
    }

    @Mirrored public struct State {
      @Wire(aliases: "title", "caption") @BindingState public var name = ""
      @BindingState public var width = 1.0
      public var lines: IdentifiedArrayOf<Line> = [Line(id: 7)]

      public init() {}
    }

    @Mirrored public enum Action: BindableAction {
      case binding(BindingAction<State>)
      @Wire(aliases: "row") case line(id: Int, action: Line.Action)
    }

    /// The same view, of the field that is called otherwise now.
    @Mirrored public struct Shown {
      @ViewStateBinding<State, String> public var text: String

      public init(_ state: State) { _text = ViewStateBinding(state, \.$name) }
    }

    /// What it does.
    public struct Feature: Reducer {
      public typealias State = Second.State
      public typealias Action = Second.Action

      public init() {}

      public var body: some Reducer<State, Action> {
        BindingReducer()
        EmptyReducer<State, Action>()
          .forEach(\.lines, action: Action.toLine) { BindingReducer<Line, Line.Action>() }
      }
    }
  }
}

extension Renamed.Second.Action {
  static let toLine = CasePath<Self, (Int, Renamed.Second.Line.Action)>(
    name: "line", embed: { .line(id: $0.0, action: $0.1) },
    extract: { if case .line(let id, let action) = $0 { (id, action) } else { nil } })
}
