import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let answer = Command(
    name: "answer", usage: "BUTTON [VIEW]",
    summary: "answer the alert or dialog (in a view) by its button's number (0 dismisses)"
  ) { session in
    try session.expectAtMost(2)
    let text = try session.word(0, "the number of a button")
    guard let number = UInt64(text) else {
      throw ToolFailure.usage("\(text) is no number of a button")
    }
    try await session.connected { (connection) throws(ToolFailure) in
      let views =
        session.words.count > 1
        ? [session.words[1]] : try await DaemonSchema.of(connection).viewsWithoutParameters
      var found: [(view: String, alert: ShownAlert)] = []
      for view in views {
        let value = try await connection.value(of: view, parameters: .null)
        if let alert = ShownAlert.first(in: value) { found.append((view, alert)) }
      }
      let alert = try theOne(of: found, in: views)
      if number > alert.buttons.count { throw alert.noButton(number) }
      try await session.perform(
        Entry(.answer(alert: alert.id, button: number == 0 ? nil : number - 1)), on: connection)
    }
  }

  /// The question that is asked; several views may show the same one.
  static func theOne(
    of found: [(view: String, alert: ShownAlert)], in views: [String]
  ) throws(ToolFailure) -> ShownAlert {
    guard let first = found.first else {
      throw ToolFailure(
        .refused,
        views.count == 1
          ? "nothing is asked in the view \(views[0])"
          : "nothing is asked in the views \(views.joined(separator: ", "))",
        advice: views.count == 1
          ? "It may be answered already: `statecast get \(views[0])` shows what is there."
          : "Name the view that shows it (`statecast views` lists them), or it is answered already."
      )
    }
    if let other = found.first(where: { $0.alert.id != first.alert.id }) {
      throw ToolFailure(
        .usage,
        "several questions are asked: \"\(first.alert.title)\" in \(first.view) and "
          + "\"\(other.alert.title)\" in \(other.view)",
        advice: "Say which view's is meant: statecast answer BUTTON \(first.view).")
    }
    return first.alert
  }
}

extension ShownAlert {
  /// What is said of a number that is none of its buttons'.
  func noButton(_ number: UInt64) -> ToolFailure {
    ToolFailure(
      .usage, "\"\(title)\" has no button \(number)",
      advice: buttons.isEmpty
        ? "0 dismisses it." : "Answer with 1 to \(buttons.count), or 0 to dismiss.")
  }
}
