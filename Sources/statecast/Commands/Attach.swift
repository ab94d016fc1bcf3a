import Foundation
import StateModel
import StatecastClient
import SyncProtocol
import Synchronization
import ZeroMQ

extension Command {
  static let attach = Command(
    name: "attach", usage: "[VIEW...]",
    summary: "watch views and send actions, line by line, in a terminal"
  ) { session in
    try await session.connected(isPresent: true) { (connection) throws(ToolFailure) in
      let schema = try await DaemonSchema.of(connection)
      let views =
        session.words.isEmpty
        ? schema.viewsWithoutParameters : session.words
      for view in views where schema.views[view] == nil {
        throw ToolFailure(
          .refused,
          "there is no view \(view)" + Arguments.near(view, Array(schema.views.keys)),
          advice: "`statecast views` lists what the daemon offers.")
      }
      guard let editor = LineEditor() else {
        throw ToolFailure(
          .failure, "this is no terminal", advice: "Use `statecast watch` and `statecast send`.")
      }
      LastMoment.prepare { editor.stop() }
      let room = AttachRoom(
        editor: editor, views: views, schema: schema, endpoints: session.endpoints)
      // First, before anything that may come at once.
      editor.completeWith { room.completions(of: $0) }
      editor.print(
        "Attached to \(views.joined(separator: ", ")). TAB completes, ? helps, Ctrl-D leaves.")
      if session.words.isEmpty, let notice = AttachRoom.notShown(schema) { editor.print(notice) }
      let notices = Task {
        for await notice in connection.noticeStream { room.show(notice) }
      }
      let mirrors = views.map { view in
        Task {
          for await signal in await connection.signals(of: view) { room.show(signal, of: view) }
        }
      }
      await room.converse(with: connection)
      notices.cancel()
      for mirror in mirrors { mirror.cancel() }
      editor.close()
    }
  }
}

/// What the attached person sees, and what may be typed.
final class AttachRoom: Sendable {
  let editor: LineEditor
  private let views: [String]
  private let schema: DaemonSchema
  private let endpoints: DaemonEndpoints
  private let state = Mutex(Shown())

  /// How long a typed line waits for its answer.
  private static let patience = Duration.seconds(5)

  private struct Shown {
    var values: [String: Value] = [:]
    /// The alert or dialog that can be answered by number.
    var prompt: ShownAlert?
    /// Does what was typed.
    var handling: Task<Void, Never>?
    /// Whether nothing more is typed.
    var hasLeft = false
    /// Whether the daemon is not heard.
    var isLost = false
  }

  init(editor: LineEditor, views: [String], schema: DaemonSchema, endpoints: DaemonEndpoints) {
    self.endpoints = endpoints
    self.editor = editor
    self.views = views
    self.schema = schema
  }

  /// Which views are left out when none is named.
  static func notShown(_ schema: DaemonSchema) -> String? {
    let names = schema.views.filter { $0.value.parameters != nil }.keys.sorted()
    guard let first = names.first else { return nil }
    return "Not shown: \(names.joined(separator: ", ")), which take parameters. "
      + "`statecast attach \(first)` shows one without any."
  }

  // MARK: Showing

  func show(_ signal: MirrorSignal, of view: String) {
    switch signal {
    case .value(let new, let update, _):
      let old = state.withLock { shown in
        defer { shown.values[view] = new }
        return shown.values[view]
      }
      if let old {
        if old.isIdentical(to: new) { return }
        let delta = update.delta ?? new.delta(from: old)
        let who = update.origin.map { " by \($0)" } ?? ""
        for text in ValueText.changes(delta, from: old, to: new) {
          editor.print("  \(view)\(text)\(who)")
        }
      } else {
        editor.print(
          "\(view) at \(update.number): \(ValueText.shortened(new, to: ValueText.longestWhole))")
      }
      showAlert()
    case .stale(let reason): editor.print("-- \(view) is stale: \(reason)")
    case .fresh: break
    case .refused(let failure): editor.print("-- \(failure)")
    }
  }

  func show(_ notice: ClientOutput.Notice) {
    switch notice {
    case .linkLost: lose(true)
    case .connected: lose(false)
    default: break
    }
    switch notice {
    case .linkLost: editor.print("-- The daemon is not heard any more; waiting for it.")
    case .unheard(let reason):
      editor.print("-- \(reason.prefix(1).uppercased() + reason.dropFirst()).")
      editor.print("   \(endpoints.whatToCheck)")
    case .goingAway(let text): editor.print("-- The daemon is going away: \(text)")
    case .evicted(let text): editor.print("-- The daemon has ended this session: \(text)")
    case .rewritten:
      editor.print("-- The daemon's history was replaced; look at the state before you go on.")
    case .connected(let number): editor.print("-- In touch with the daemon, as client \(number).")
    case .diverged(_, _, _, let expected, let found):
      editor.print("-- A mirror differed (\(found) for \(expected)); it is fetched anew.")
    case .refused(let code, let text): editor.print("-- Refused: \(code.rawValue), \(text)")
    }
  }

  private func showAlert() {
    let (alert, isNew) = state.withLock { shown in
      let alert = shown.values.values.lazy.compactMap { ShownAlert.first(in: $0) }.first
      let isNew = alert?.id != shown.prompt?.id
      shown.prompt = alert
      return (alert, isNew)
    }
    guard isNew else { return }
    guard let alert else { return editor.print("-- It was answered.") }
    for text in alert.lines { editor.print(text) }
  }

  // MARK: Being typed to

  /// Reads lines until the end of the input. The reading thread is this command's own.
  func converse(with connection: DaemonConnection) async {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let reader = Thread {
      while let line = self.editor.next(), self.meaning(of: line) != .leave {
        continuation.yield(line)
      }
      continuation.finish()
      self.leave()
    }
    let handling = Task {
      var unsent = 0
      for await line in lines {
        if Task.isCancelled { unsent += 1 } else { await handle(line, connection) }
      }
      if unsent > 0 { editor.print("-- Lines that were not sent: \(unsent).") }
    }
    state.withLock { $0.handling = handling }
    reader.start()
    await handling.value
  }

  private func meaning(of line: String) -> AttachLine {
    AttachLine(line, actions: schema.action.actionNames)
  }

  /// The person has left: what was sent is still answered, unless there is nobody to answer.
  private func leave() {
    let waiting = state.withLock { shown in
      shown.hasLeft = true
      return shown.isLost ? shown.handling : nil
    }
    waiting?.cancel()
  }

  /// The daemon was lost or found.
  private func lose(_ isLost: Bool) {
    let waiting = state.withLock { shown in
      shown.isLost = isLost
      return isLost && shown.hasLeft ? shown.handling : nil
    }
    waiting?.cancel()
  }

  private func handle(_ line: String, _ connection: DaemonConnection) async {
    do {
      switch meaning(of: line) {
      case .nothing, .leave: return
      case .help:
        for line in Self.help(schema.action) { editor.print(line) }
      case .shell(let command):
        editor.print("-- `statecast \(command)` is for a shell; here a line is an action: ? helps.")
      case .answer(let number): try await answer(number, connection)
      case .set(let field, let text):
        let value = try schema.action.typed(text, forField: field)
        try await perform(
          Entry(.set(field: field, value: value.encoded())), connection, .field(field))
      case .action(let name, let payload):
        let action = try schema.action.action(name, payload: payload)
        let fitted = schema.action.fit(action, to: schema.action.schema.root)
        try await perform(
          Entry(.perform(action: fitted.encoded())), connection, .action(name))
      }
    } catch let failure as ToolFailure {
      editor.print("-- \(failure.message)")
      if failure.isAboutSchema { editor.print("   \(failure.advice)") }
    } catch {
      editor.print("-- \(error)")
    }
  }

  /// How this app's actions are written, and its fields set.
  static func help(_ guide: SchemaGuide) -> [String] {
    let action = guide.actionNames.first.map { " (\($0))" } ?? ""
    let field = guide.bindings.names.first.map { "\($0) = VALUE" } ?? "FIELD = VALUE"
    return [
      "An action\(action), with a payload if it takes one;",
      "\(field) sets a field; a number answers an alert; Ctrl-D leaves.",
      "TAB lists both; `statecast schema`, in a shell, says what each takes.",
    ]
  }

  private func answer(_ number: Int, _ connection: DaemonConnection) async throws {
    guard let alert = state.withLock({ $0.prompt }) else {
      return editor.print("-- There is nothing to answer.")
    }
    guard number >= 0, number <= alert.buttons.count else {
      return editor.print("-- Answer with 1 to \(alert.buttons.count), or 0 to dismiss.")
    }
    try await perform(
      Entry(.answer(alert: alert.id, button: number == 0 ? nil : UInt64(number - 1))), connection)
  }

  private func perform(
    _ entry: Entry, _ connection: DaemonConnection, _ subject: SchemaGuide.Subject? = nil
  ) async throws(ToolFailure) {
    let isLost = state.withLock(\.isLost)
    if isLost {
      editor.print(
        "-- The daemon is away: this waits for it for \(Self.patience.components.seconds) seconds.")
    }
    do {
      // Nobody is there to be asked afterwards what became of it.
      let receipt = try await connection.perform(
        entry, patience: Self.patience, grace: isLost ? .zero : Self.patience)
      let change = receipt.changed ? "" : ", nothing changed"
      editor.print("-- done (commit \(receipt.commit)\(change))")
    } catch {
      throw ToolFailure(error, about: subject, schema.action)
    }
  }

  func completions(of typed: String) -> [String] {
    schema.action.actionNames + schema.action.bindings.names.map { $0 + " = " }
  }
}
