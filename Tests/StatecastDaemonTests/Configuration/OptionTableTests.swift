import Foundation
import Journal
import SyncProtocol
import Testing

@testable import StatecastDaemon

@Suite("The table of options")
struct OptionTableTests {
  /// `viewsPerSession` as `views-per-session`
  private func dashed(_ name: String) -> String {
    name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }

  private func names(_ section: String) -> Set<String> {
    Set(OptionTable.options.filter { $0.section == section }.map(\.name))
  }

  private func members(of value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label).map { dashed($0) })
  }

  @Test("has every limit, every time-out and every option of the journal")
  func complete() {
    #expect(names("limits") == members(of: Limits()))
    #expect(names("timing") == members(of: Timing()))
    // A layer of files is for tests, not for people.
    #expect(names("journal") == members(of: JournalOptions()).subtracting(["file-layer"]))
    #expect(Set(OptionTable.sections.map(\.name)) == Set(OptionTable.options.map(\.section)))
  }

  @Test("calls each option by names of its own")
  func unique() {
    let options = OptionTable.options
    #expect(Set(options.map(\.flag)).count == options.count)
    #expect(Set(options.map(\.variable)).count == options.count)
  }

  @Test("writes each option's value so that it reads it again, each into a member of its own")
  func roundTrip() throws {
    var seen: [Configuration] = []
    for option in OptionTable.options {
      var configuration = Configuration()
      try option.set(&configuration, option.defaultText)
      #expect(configuration == Configuration(), "\(option.flag)")
      let other = try #require(anotherValue(for: option))
      try option.set(&configuration, other)
      #expect(configuration != Configuration(), "\(option.flag)")
      #expect(option.text(configuration) == other, "\(option.flag)")
      #expect(!seen.contains(configuration), "\(option.flag) sets what another does")
      seen.append(configuration)
    }
  }

  /// Another value than the default, as the option writes it.
  private func anotherValue(for option: ConfigurationOption) -> String? {
    switch option.placeholder {
    case nil: "yes"
    case "SIZE": "77 MiB"
    case "NUMBER": option.name == "publication-high-water" ? "1234" : "123"
    case "TIME": "77 ms"
    case "PATH": "/elsewhere"
    case "ENDPOINT": "ipc:///elsewhere"
    case "UID,UID": "7, 8"
    case "journal|memory": "memory"
    case "debug|info|warning|error": "error"
    default: nil
    }
  }

  @Test("is what --help shows: each option with its default")
  func help() throws {
    let help = HelpText.make(program: "statecastd", name: "statecast")
    for option in OptionTable.options { #expect(help.contains("  \(option.flag)")) }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(
      help.hasPrefix(
        """
        Usage: statecastd [--option value]...
               statecastd replay --verify JOURNAL

        Serves until SIGTERM or SIGINT; SIGHUP opens the log file anew.

          --config PATH
              The configuration file; else ~/.config/statecast/statecastd.conf, or
              /etc/statecast/statecastd.conf.
        """))
    #expect(
      help.contains(
        """
          --limits-frame SIZE
              A frame; a longer one ends its sender's connection. [16 MiB]
        """))
    #expect(
      help.hasSuffix(
        """
        Flags come before the environment, the environment before the file:
        --limits-frame 16MiB is STATECAST_LIMITS_FRAME=16MiB in the environment, and frame = 16 MiB
        under [limits] in the file.
        """))
    for arguments in [["--help"], ["-h"], ["--mode", "memory", "--help", "--nonsense"]] {
      let request = try ConfigurationLoader(
        program: "statecastd", name: "statecast", arguments: arguments, environment: [:],
        read: { _ in .failure(.init(isMissing: true, text: "")) }
      ).load()
      #expect(request == .print(help))
    }
  }

  @Test("names the folders of the app whose daemon it is")
  func appHelp() {
    let help = HelpText.make(program: "tally", name: "tally")
    #expect(help.contains("empty: $XDG_RUNTIME_DIR/tally, or /tmp/tally-UID."))
    #expect(help.contains("empty: $XDG_STATE_HOME/tally, or ~/.local/state/tally."))
    #expect(help.contains("else ~/.config/tally/tallyd.conf, or /etc/tally/tallyd.conf."))
    #expect(!help.contains("/statecast"))
  }

  @Test("is what Config/statecastd.conf says, and that file says the defaults")
  func defaultFile() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Config/statecastd.conf").standardizedFileURL
    let text = HelpText.defaultFile()
    if ProcessInfo.processInfo.environment["STATECAST_WRITE_CONFIG"] != nil {
      try text.write(to: path, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOf: path, encoding: .utf8)
    #expect(written == text, "run this test with STATECAST_WRITE_CONFIG=1 to write it anew")

    let request = try ConfigurationLoader(
      program: "statecastd", name: "statecast", arguments: ["--config", path.path],
      environment: [:], read: ConfigurationFile.read
    ).load()
    #expect(request == .serve(Configuration(), notes: []))
  }
}
