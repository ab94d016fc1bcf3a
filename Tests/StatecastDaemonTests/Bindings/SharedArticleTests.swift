import Composable
import Foundation
import StateModel
import StatecastClient
import Testing

/// The feature that the article is about.
struct Mixer: Reducer {
  @Mirrored struct State {
    @BindingState var volume = 0
    var title = ""
  }

  @Mirrored enum Action: BindableAction {
    case binding(BindingAction<State>)
    case rename(String)
  }

  var body: some ReducerOf<Self> { BindingReducer() }
}

extension Mixer {
  @Mirrored struct ViewState {
    @ViewStateBinding<State, Int> var volume: Int
    var title: String

    init(_ state: State) {
      _volume = ViewStateBinding(state, \.$volume)
      title = state.title
    }
  }
}

extension Mixer.ViewState: SharedView {
  static var viewName: String { "mixer" }
  static func action(_ binding: BindingAction<Mixer.State>) -> Mixer.Action { .binding(binding) }
}

extension SharedSource {
  static func view(
    _ field: any KeyPath<Mixer.ViewState, ViewStateBinding<Mixer.State, Value>> & Sendable
  ) -> SharedSource { .view(of: Mixer.ViewState.self, field) }
}

/// The article's code as it stands there: that it compiles is the test; what it does is tested on
/// daemons of a test's own.
enum SharedArticle {
  static func workspace() async throws {
    @Shared("player/volume") var volume = 0.5
    volume = 0.7
    try await $volume.ready()
    try await $volume.set(0.9)
    for await volume in $volume { print(volume) }
  }

  static func views() {
    @Shared(.view(\Mixer.ViewState.$volume), on: .user(daemon: "mixer")) var level = 0
    level = 1
    @Shared(.view(\.$volume), on: .user(daemon: "mixer")) var loudness = 0
    loudness = 2
    @Shared(.view("mixer", \Mixer.ViewState.title) { Mixer.Action.rename($0) }) var title = ""
    title = "x"
  }

  static func bindings(_ store: RemoteStore<Player.State, Player.Action>) {
    let viewStore = ViewStore(store, observe: { $0 })
    viewStore.$title.wrappedValue = "new"
    _ = viewStore.$title.wrappedValue
    _ = viewStore.title
    let titles = viewStore.$title.observe { print("the title is", $0) }
    let refused = store.observeRefusedSets { print($0) }
    titles.cancel()
    refused.cancel()
    _ = viewStore.binding(\.$title, isCompared: true)
  }
}

@Suite("The article on writing a client")
struct SharedArticleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The lines of Swift in the sections that this file compiles, without comments.
  private static var lines: [String] {
    get throws {
      let article = try String(
        contentsOf: root.appendingPathComponent(
          "Sources/StatecastClient/StatecastClient.docc/WritingAClient.md"), encoding: .utf8)
      var lines: [String] = []
      var isWanted = false
      var isCode = false
      for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("## ") { isWanted = ["## Bind", "## Share a value"].contains(line) }
        if line.hasPrefix("```") {
          isCode = line == "```swift"
        } else if isWanted, isCode {
          let code = line.split(separator: "//", maxSplits: 1)[...].first ?? ""
          lines.append(code.trimmingCharacters(in: .whitespaces))
        }
      }
      return lines.filter { !$0.isEmpty }
    }
  }

  @Test("Every line of its code on bindings and shared values is compiled here")
  func compiled() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let lines = try Self.lines
    #expect(lines.count > 15)
    for line in lines { #expect(source.contains(line), "\(line)") }
  }
}
