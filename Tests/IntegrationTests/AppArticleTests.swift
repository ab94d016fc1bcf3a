import Composable
import Foundation
import StateModel
import StatecastClient
import StatecastDaemon
import StatecastTesting
import Testing

/// The feature that the article's shorter examples are about.
struct Deploy: Reducer {
  @Mirrored struct Row: Identifiable {
    let id: Int
    var isDone = false
  }

  @Mirrored struct State {
    var tasks: IdentifiedArrayOf<Row> = []
    var handles: [Handle] = []
    var present: [UInt64: String] = [:]
    var alert: AlertState<Action>?
    var isRunning = false
    var log: [String] = []
  }

  @Mirrored enum Action {
    case started
    case timerTicked
    case noted(String)
    case presence(PresenceChange)
    case handles(HandleChange)
    case deployTapped
    case deployed
    case kept
    case alertDismissed
  }

  @Mirrored enum Filter {
    case open
    case done

    func shows(_ row: Row) -> Bool { row.isDone == (self == .done) }
  }

  enum CancelID { case timer }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.date) var date
  @Dependency(\.origin) var origin

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .noted(let text):
      let name = origin.flatMap { state.present[$0] } ?? "nobody who is listed"
      state.log.append("\(date.now.timeIntervalSince1970): \(name): \(text)")
      return .none
    case .started:
      state.isRunning = true
      return .run { [clock] send in
        for await _ in clock.timer(interval: .seconds(1)) { await send(.timerTicked) }
      }
      .cancellable(id: CancelID.timer)
    case .handles(let change):
      guard change.isCredible(from: origin) else { return .reject("not yours to offer") }
      change.apply(to: &state.handles)
    case .presence(let change):
      guard change.isCredible(from: origin) else { return .reject("not yours to tell") }
      switch change {
      case .joined(let client, let name): state.present[client] = name
      case .away, .back: break
      case .left(let client): state.present[client] = nil
      case .allLeft: state.present = [:]
      }
    case .deployTapped:
      state.alert = AlertState(
        title: "Deploy?",
        buttons: [.default("No", action: .send(.kept)), .default("Yes", action: .send(.deployed))]
      )
      .answered(by: .admin)
      .answered(at: date.now + 30, with: 0)
    case .alertDismissed: state.alert = nil
    case .timerTicked, .deployed, .kept: break
    }
    return .none
  }
}

struct DeployDaemon: DaemonApp {
  typealias Feature = Deploy
  typealias Action = Deploy.Action

  var name: String { "deploy" }
  var reducer: some ReducerOf<Deploy> & SendableMetatype { Deploy()._printChanges() }
  var initialState: Deploy.State { Deploy.State() }

  var views: [ViewDefinition<Deploy.State>] {
    [
      ViewDefinition(
        "open", parameters: Deploy.Filter.self, reads: \.tasks,
        remembering: { filter in Filtered { filter.shows($0) } },
        { tasks, shown in
          shown.update(tasks)
          return shown.elements
        })
    ]
  }

  var started: Feature.Action? { .started }

  func authorize(_ action: Feature.Action, origin: UInt64?) -> Bool {
    switch action {
    case .started, .timerTicked: false
    default: true
    }
  }

  func presenceChanged(_ change: PresenceChange) -> Action? { .presence(change) }
  func handlesChanged(_ change: HandleChange) -> Action? { .handles(change) }

  var alertPlaces: [AlertPlace<Feature.State, Feature.Action>] {
    [AlertPlace(alert: { $0.alert }, action: { $0 }, dismiss: .alertDismissed)]
  }

  func migrate(_ old: OlderState) throws -> Feature.State {
    var value = old.value
    // One list has become two.
    value["open"] = value["tasks"]
    value["tasks"] = nil
    value["done"] = []
    return try Feature.State(value)
  }
}

/// What the article on writing an app shows besides its files is compiled here.
@Suite("The article on writing an app: its shorter examples")
@MainActor
struct AppArticleTests {
  typealias Feature = Deploy

  static func client() async throws -> DaemonConnection {
    var options = DaemonConnection.Options.user(daemon: "tally")
    options.isPresent = true
    options.name = "a status bar"
    let connection = try await DaemonConnection(options)
    return connection
  }

  @Test func replaysAlike() {
    let actions: [Feature.Action] = [.noted("a"), .deployTapped, .noted("b")]
    ReplayCheck.run(initialState: Feature.State(), actions: actions) { Feature() }
  }

  @Test("Every line of them is compiled here")
  func compiled() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let article = try String(
      contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(
          "Sources/StatecastDaemon/StatecastDaemon.docc/WritingAnApp.md"), encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    // Those of a file stand behind its name.
    let blocks = article.matches(of: /\n([^\n]*)\n\n?```swift\n([\s\S]*?)```\n/)
      .filter { !$0.1.hasPrefix("`") }
    #expect(blocks.count > 8)
    for line in blocks.flatMap({ $0.2.split(separator: "\n") }) {
      #expect(source.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
    }
  }
}
