/// One of the tool's commands.
struct Command: Sendable {
  /// The word on the command line.
  let name: String
  /// The words after it.
  let usage: String
  /// One line for `--help`.
  let summary: String
  /// More lines for the command's own help.
  var details = ""
  let run: @Sendable (Session) async throws -> Void

  /// What `COMMAND --help` prints.
  var help: String {
    let usage = usage.isEmpty ? "" : " \(usage)"
    return """
      Usage: statecast \(name)\(usage) [OPTIONS]

      \(name): \(summary).
      \(details.isEmpty ? "" : "\n\(details)\n")
      `statecast --help` lists the options.
      """
  }

  /// All commands, in the order of `--help`.
  static let all: [Command] = [
    .up, .attach, .get, .watch, .mirror, .send, .set, .answer, .offer, .call, .views, .schema,
    .status, .who, .log, .load, .edit, .stop, .doctor, .backup, .restore, .replay,
  ]
}
