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
    let payload = session.words.dropFirst().first
    // What is no action of any app is said without a daemon; what one takes tells what a word is.
    let isWord = payload.map(ActionText.isWord) ?? false
    _ = try ActionText.parse(text, payload: isWord ? "0" : payload)
    try await session.connected { (connection) throws(ToolFailure) in
      let guide = try await DaemonSchema.of(connection).action
      let action = try guide.action(text, payload: payload)
      let fitted = guide.fit(action, to: guide.schema.root)
      try await session.perform(
        Entry(.perform(action: fitted.encoded())), on: connection, about: .action(text), guide)
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
        Entry(.set(field: field, value: value.encoded())), on: connection, about: .field(field),
        guide)
    }
  }
}

extension Session {
  /// Sends an entry, waits until the daemon has it, and prints its commit.
  ///
  /// - Parameters:
  ///   - subject: what was named, for what is said when it is refused.
  ///   - guide: the daemon's actions; needed with a subject.
  func perform(
    _ entry: Entry, on connection: DaemonConnection, about subject: SchemaGuide.Subject? = nil,
    _ guide: SchemaGuide? = nil
  ) async throws(ToolFailure) {
    let receipt: Receipt
    do {
      // All of it is over in time: given up while there is some left to learn what became of it.
      let timeout = try timeout()
      receipt = try await connection.perform(
        entry, patience: timeout * 3 / 4, grace: timeout / 4)
    } catch let failure as ActionFailure {
      throw guide.map { ToolFailure(failure, about: subject, $0) } ?? ToolFailure(failure)
    } catch let failure as ToolFailure {
      throw failure
    } catch {
      throw ToolFailure(.failure, "\(error)", advice: "")
    }
    try output.line(receipt.changed ? "\(receipt.commit)" : "\(receipt.commit) no-change")
  }
}
