/// One of the tool's commands.
struct Command: Sendable {
  /// The word on the command line.
  let name: String
  /// The words after it.
  let usage: String
  /// One line for `--help`.
  let summary: String
  let run: @Sendable (Session) async throws -> Void

  /// All commands, in the order of `--help`.
  static let all: [Command] = [
    .up, .attach, .get, .watch, .mirror, .send, .set, .answer, .offer, .call, .views, .schema,
    .status, .load,
    .edit, .stop, .doctor, .backup, .restore,
  ]
}
