/// `--help` and the commented configuration file, made from the table.
package enum HelpText {
  private static let width = 100
  private static let indent = String(repeating: " ", count: 6)

  /// What `--help` prints.
  ///
  /// - Parameter name: the app's, in whose folders everything is.
  static func make(program: String, name: String) -> String {
    var lines = [
      "Usage: \(program) [--option value]...",
      "       \(program) replay --verify JOURNAL",
      "",
      "Serves until SIGTERM or SIGINT; SIGHUP opens the log file anew.",
      "",
      "  --config PATH",
    ]
    let files = "~/.config/\(name)/\(name)d.conf, or /etc/\(name)/\(name)d.conf."
    lines += wrapped("The configuration file; else \(files)", to: width - indent.count)
      .map { indent + $0 }
    lines += [
      "  --verify JOURNAL",
      "\(indent)Runs the actions of a journal again and ends: 0 when they give the journalled states, 9 at",
      "\(indent)the first that does not. Nothing is served, no effect runs, nothing is changed. The same",
      "\(indent)as replay --verify.",
      "  --help",
      "\(indent)This text.",
      "  --version",
      "\(indent)The program's version.",
    ]
    for section in OptionTable.sections {
      lines += ["", section.help, ""]
      for option in OptionTable.options where option.section == section.name {
        lines.append("  \(option.flag)\(option.placeholder.map { " \($0)" } ?? "")")
        let value = option.defaultText
        let note = option.placeholder == nil || value.isEmpty ? "" : " [\(value)]"
        // The table speaks of the ready-made app.
        let help = option.help.replacing("/statecast", with: "/\(name)")
        lines += wrapped(help + note, to: width - indent.count).map { indent + $0 }
      }
    }
    lines += ["", "Flags come before the environment, the environment before the file:"]
    if let example = OptionTable.options.first(where: { $0.section == "limits" }) {
      lines += [
        "\(example.flag) \(example.defaultText.filter { $0 != " " }) is"
          + " \(example.variable)=\(example.defaultText.filter { $0 != " " }) in the environment,"
          + " and \(example.name) = \(example.defaultText)",
        "under [\(example.section)] in the file.",
      ]
    }
    return lines.joined(separator: "\n")
  }

  /// The configuration file that says what holds without one.
  package static func defaultFile() -> String {
    var lines = [
      "# What a Statecast daemon does unless it is told otherwise. Every value here is the default:",
      "# delete what you do not change. Flags and the environment come before this file.",
    ]
    for section in OptionTable.sections {
      lines += ["", "", "# \(section.help)", "[\(section.name)]"]
      for option in OptionTable.options
      where option.section == section.name && option.scope == .everywhere {
        lines.append("")
        lines += wrapped(option.help, to: width - 2).map { "# \($0)" }
        let value = option.defaultText
        lines.append(value.isEmpty ? "\(option.name) =" : "\(option.name) = \(value)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
