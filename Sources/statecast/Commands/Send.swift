import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let send = Command(
    name: "send", usage: "ACTION [PAYLOAD]",
    summary: "send an action: counter.incrementButtonTapped, or JSON",
    details: "Prints the commit, and `no-change` behind it where the state is as it was."
  ) { session in
    try session.expectAtMost(2)
    let text = try session.word(0, "an action")
    let action = try ActionText.parse(text, payload: session.words.dropFirst().first)
    try await session.connected { (connection) throws(ToolFailure) in
      let guide = try await DaemonSchema.of(connection).action
      let fitted = guide.fit(action, to: guide.schema.root)
      try await session.perform(
        Entry(.perform(action: fitted.encoded())), on: connection,
        meaning: Arguments.near(text, guide.actionNames))
    }
  }

  static let set = Command(
    name: "set", usage: "FIELD VALUE",
    summary: "set a field that its app lets be set: counter.step 3",
    details: """
      Prints the commit, and `no-change` behind it where the state is as it was. A field is set
      whole: what a JSON object leaves out gets its default.
      """
  ) { session in
    try session.expectAtMost(2)
    let field = try session.word(0, "a field")
    let text = try session.word(1, "a value")
    try await session.connected { (connection) throws(ToolFailure) in
      let guide = try await DaemonSchema.of(connection).action
      let value = try guide.typed(text, forField: field)
      try await session.perform(
        Entry(.set(field: field, value: value.encoded())), on: connection,
        meaning: Arguments.near(field, guide.bindings.names))
    }
  }
}

extension Session {
  /// Sends an entry, waits until the daemon has it, and prints its commit.
  ///
  /// - Parameter suggestion: what was probably meant, if there is no such action or field.
  func perform(
    _ entry: Entry, on connection: DaemonConnection, meaning suggestion: String = ""
  ) async throws(ToolFailure) {
    let receipt: Receipt
    do {
      receipt = try await connection.perform(entry, patience: try timeout())
    } catch let failure as ActionFailure {
      var told = ToolFailure(failure)
      if [.unknownAction, .notSettable].contains(failure.code) { told.message += suggestion }
      throw told
    } catch let failure as ToolFailure {
      throw failure
    } catch {
      throw ToolFailure(.failure, "\(error)", advice: "")
    }
    try output.line(receipt.changed ? "\(receipt.commit)" : "\(receipt.commit) no-change")
  }
}
