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

  /// The options that only some commands take: elsewhere one would be left out of account in silence.
  private static let takers = [
    "count": ["watch", "offer"], "until": ["mirror"], "name": ["attach", "offer", "up"],
    "exec": ["offer"], "client": ["call"], "state-directory": ["up"], "mode": ["up"],
    "config": ["up"], "daemon": ["replay"], "journal": ["log"],
  ]

  /// An option that this command does not take, as a usage error.
  func checkOptions(_ arguments: Arguments) throws(ToolFailure) {
    for option in arguments.options.keys.sorted() {
      guard let takers = Self.takers[option], !takers.contains(name) else { continue }
      throw .usage(
        "\(name) takes no --\(option); \(takers.joined(separator: " and ")) \(takers.count == 1 ? "does" : "do")"
      )
    }
  }

  /// All commands, in the order of `--help`.
  static let all: [Command] = [
    .up, .attach, .get, .watch, .mirror, .send, .set, .answer, .offer, .call, .views, .schema,
    .status, .who, .log, .load, .edit, .stop, .doctor, .backup, .restore, .replay,
  ]
}
