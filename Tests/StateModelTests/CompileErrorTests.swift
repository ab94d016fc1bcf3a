import Foundation
import Testing

/// What an app author's compiler says of the mistakes that are most likely made first; each way of
/// mirroring wrongly is in `MacroDiagnosticsTests`.
@Suite("Compile errors that help")
struct CompileErrorTests {
  @Test(
    "A class in a state: its declaration is to be mirrored, and there it says to make it a struct")
  func classInState() throws {
    let held = try MacroCompiler([
      "State": """
      final class Account: Sendable { let name = "" }
      @Mirrored struct State { var account: Account }
      """
    ])
    #expect(held.output.contains("requires that 'Account' conform to 'Mirrored'"), "\(held.output)")
    #expect(
      held.output.contains(
        "the type of a field must be mirrored: put '@Mirrored' on its declaration"))
    let advised = try MacroCompiler([
      "State": """
      @Mirrored final class Account: Sendable { let name = "" }
      @Mirrored struct State { var account: Account }
      """
    ])
    #expect(
      advised.said["State"]?.first
        == "2:17: error: '@Mirrored' cannot be on the class 'Account': a state is a value; make it a "
        + "struct")
  }

  @Test("Two fields of one name on the wire: named where the second stands")
  func duplicateName() throws {
    let checked = try MacroCompiler([
      "State": """
      @Mirrored struct State {
        var title = ""
        @Wire("title") var heading = ""
      }
      """
    ])
    #expect(
      checked.said["State"] == [
        "4:22: error: two fields are named 'title' on the wire: give one of them another name with "
          + "'@Wire(\"…\")'"
      ])
  }

  @Test("A mistake in a reducer's closure is named where it stands")
  func reducerClosure() throws {
    let checked = try MacroCompiler([
      "Feature": """
      import Composable
      struct Feature: Reducer {
        @Mirrored struct State { var count = 0 }
        @Mirrored enum Action { case tapped }
        var body: some Reducer<State, Action> {
          Reduce { state, action in
            switch action {
            case .tapped:
              state.cuont += 1
              return .none
            }
          }
        }
      }
      """
    ])
    #expect(
      checked.said["Feature"]
        == ["10:15: error: value of type 'Feature.State' has no member 'cuont'"],
      "\(checked.output)")
  }

  @Test("An action whose payload is not mirrored: the payload's type is to be")
  func payload() throws {
    let checked = try MacroCompiler([
      "Action": """
      struct Row { var number = 0 }
      @Mirrored enum Action { case add(Row) }
      """
    ])
    for words in [
      "requires that 'Row' conform to 'Mirrored'",
      "the type of a payload must be mirrored: put '@Mirrored' on its declaration",
    ] {
      #expect(checked.output.contains(words), "\(checked.output)")
    }
  }

  @Test("An app whose action was left without the macro: naming its reducer says which type it is")
  func forgottenMacro() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    // The daemon's library is read with the C modules that it is made of.
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { $0.hasPrefix("C") && $0 != "Composable" }.sorted()
      .flatMap { [$0, $0 + "/include"] }
      .flatMap { ["-I", sources.appendingPathComponent($0).path] }
    let checked = try MacroCompiler(
      [
        "App": """
        import Composable
        import StatecastDaemon
        struct Feature: Reducer {
          @Mirrored struct State { var count = 0 }
          enum Action { case tapped }
          func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
        }
        struct Daemon: DaemonApp {
          typealias Root = Feature
          var name: String { "feature" }
          var reducer: Feature { Feature() }
          var initialState: Feature.State { Feature.State() }
          var views: [ViewDefinition<Feature.State>] { [] }
        }
        """
      ], arguments: modules)
    #expect(
      checked.output.contains("type 'Feature.Action' does not conform to protocol 'Mirrored'"),
      "\(checked.output)")
  }
}
