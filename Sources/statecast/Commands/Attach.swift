import Foundation
import StateModel
import StatecastClient
import SyncProtocol
import Synchronization

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
      guard let editor = LineEditor() else {
        throw ToolFailure(
          .failure, "this is no terminal", advice: "Use `statecast watch` and `statecast send`.")
      }
      let room = AttachRoom(editor: editor, views: views, schema: schema)
      let notices = Task {
        for await notice in connection.noticeStream { room.show(notice) }
      }
      let mirrors = views.map { view in
        Task {
          for await signal in await connection.signals(of: view) { room.show(signal, of: view) }
        }
      }
      editor.completeWith { room.completions(of: $0) }
      editor.print(
        "Attached to \(views.joined(separator: ", ")). TAB completes, ? helps, Ctrl-D leaves.")
      if session.words.isEmpty, let notice = AttachRoom.notShown(schema) { editor.print(notice) }
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
  private let state = Mutex(Shown())

  private struct Shown {
    var values: [String: Value] = [:]
    /// The alert or dialog that can be answered by number.
    var prompt: ShownAlert?
  }

  init(editor: LineEditor, views: [String], schema: DaemonSchema) {
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
    case .linkLost: editor.print("-- The daemon is not heard any more; waiting for it.")
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
      while let line = self.editor.next(), AttachLine(line) != .leave { continuation.yield(line) }
      continuation.finish()
    }
    reader.start()
    for await line in lines { await handle(line, connection) }
  }

  private func handle(_ line: String, _ connection: DaemonConnection) async {
    do {
      switch AttachLine(line) {
      case .nothing, .leave: return
      case .help:
        editor.print("An action (counter.incrementButtonTapped), with a payload if it takes one;")
        editor.print("FIELD = VALUE sets a field; a number answers an alert; Ctrl-D leaves.")
      case .answer(let number): try await answer(number, connection)
      case .set(let field, let text): try await set(field, text, connection)
      case .action(let name, let payload):
        let action = try ActionText.parse(name, payload: payload)
        let fitted = schema.action.fit(action, to: schema.action.schema.root)
        try await perform(Entry(.perform(action: fitted.encoded())), connection)
      }
    } catch let failure as ToolFailure {
      editor.print("-- \(failure.message)")
    } catch {
      editor.print("-- \(error)")
    }
  }

  private func set(
    _ field: String, _ text: String, _ connection: DaemonConnection
  ) async throws {
    let value = try schema.action.typed(text, forField: field)
    try await perform(Entry(.set(field: field, value: value.encoded())), connection)
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
    _ entry: Entry, _ connection: DaemonConnection
  ) async throws(ToolFailure) {
    do {
      let receipt = try await connection.perform(entry, patience: .seconds(5))
      let change = receipt.changed ? "" : ", nothing changed"
      editor.print("-- done (commit \(receipt.commit)\(change))")
    } catch {
      throw ToolFailure(error)
    }
  }

  func completions(of typed: String) -> [String] {
    schema.action.actionNames + schema.action.bindings.names.map { $0 + " = " }
  }
}
