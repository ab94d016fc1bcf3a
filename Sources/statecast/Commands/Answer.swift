import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let answer = Command(
    name: "answer", usage: "BUTTON [VIEW]",
    summary: "answer the alert or dialog in a view by its button's number (0 dismisses)"
  ) { session in
    try session.expectAtMost(2)
    let text = try session.word(0, "the number of a button")
    guard let number = UInt64(text) else {
      throw ToolFailure.usage("\(text) is no number of a button")
    }
    let view = session.words.count > 1 ? session.words[1] : "app"
    try await session.connected { (connection) throws(ToolFailure) in
      let value = try await connection.value(of: view, parameters: .null)
      guard let alert = ShownAlert.first(in: value) else {
        throw ToolFailure(
          .refused, "nothing is asked in the view \(view)", advice: "Look at `statecast views`.")
      }
      try await session.perform(
        Entry(.answer(alert: alert.id, button: number == 0 ? nil : number - 1)), on: connection)
    }
  }
}
