import Glibc

/// The command line client: every command is one short session with the daemon.
@main
enum StatecastTool {
  static let options: [String: Arguments.Kind] = [
    "folder": .value, "app": .value, "requests": .value, "publications": .value, "timeout": .value,
    "count": .value, "until": .value, "name": .value, "exec": .value, "client": .value,
    "state-directory": .value, "mode": .value, "config": .value,
    "daemon": .value, "journal": .value,
    "verify": .flag, "json": .flag, "pretty": .flag, "help": .flag, "version": .flag,
  ]

  static func main() async {
    // A reader that went away is seen at the write.
    signal(SIGPIPE, SIG_IGN)
    let output = Output()
    do {
      try await run(Array(CommandLine.arguments.dropFirst()), output)
    } catch let failure as ToolFailure {
      if failure.code != .success { output.failure(failure) }
      exit(failure.code.rawValue)
    } catch {
      output.failure(ToolFailure(.failure, "\(error)", advice: ""))
      exit(ExitCode.failure.rawValue)
    }
  }

  private static func run(_ line: [String], _ output: Output) async throws {
    let arguments = try Arguments(line, known: options)
    if arguments.flags.contains("version") { return try output.line(version) }
    var words = arguments.words[...]
    let isAsking = words.first == "help" || arguments.flags.contains("help")
    if words.first == "help" { words.removeFirst() }
    guard let name = words.first else { return try output.line(help) }
    if name == "version" { return try output.line(version) }
    guard let command = Command.all.first(where: { $0.name == name }) else {
      throw ToolFailure.usage(
        "there is no command \(name)" + Arguments.near(name, Command.all.map(\.name)))
    }
    if isAsking { return try output.line(command.help) }
    let session = Session(arguments: arguments, output: output)
    do {
      try command.checkOptions(arguments)
      try await command.run(session)
    } catch let failure as ToolFailure {
      throw session.explained(failure).used(as: command)
    }
  }

  /// As the daemon says it.
  static let version = "statecast 0.1, protocol 1"

  /// What `--help` prints.
  static var help: String {
    let commands = Command.all.map { command in
      let left = "  \(command.name) \(command.usage)"
      return left + String(repeating: " ", count: max(2, 28 - left.count)) + command.summary
    }
    return """
      statecast: watch and change the state that a daemon holds.

      Usage: statecast COMMAND [WORDS] [OPTIONS]

      \(commands.joined(separator: "\n"))

      Options:
        --app NAME                the daemon of an app of one's own, by the name that it gives itself
        --folder FOLDER           the folder of the daemon's sockets
        --requests ENDPOINT       where requests go, when it is not in the folder
        --publications ENDPOINT   where publications come from
        --timeout SECONDS         how long an answer may take (5); when it is given, a daemon that is
                                  not there yet is waited for
        --state-directory FOLDER, --mode MODE, --config FILE
                                  up: handed to the daemon that is started; one with a --folder of
                                  its own needs a --state-directory of its own, too
        --count N                 watch, offer: end after N lines
        --until COMMIT            mirror: end once it holds the state as of this commit
        --name NAME               attach, offer: as what to be listed among those present
        --exec COMMAND            offer: the shell command that does a call; its argument is on
                                  standard input, what it prints is the result
        --client N                call: whose handle, where several offer it
        --journal FOLDER          log: read this journal, not the daemon's memory
        --json, --pretty          the form of what is printed
        -h, --help, --version     this text (of one command: help COMMAND), the version

      Of the ready-made daemon: views activity, app, counter, presence, primes, refresh,
      settings, tasks, workspace;
        send counter.incrementButtonTapped     send tasks.add '{"title": "milk"}'
        set settings.theme dark                set tasks.task.1.isDone true
        get tasks open                         watch workspace /notes

      Exit codes: 0 done, 1 failure here, 2 usage, 3 no daemon, 4 refused, 5 outcome unknown,
      10 the handle that was called is gone;
      of a journal: 6 damaged, 7 of a newer version, 8 in use, 9 gives other states when replayed.
      """
  }
}
