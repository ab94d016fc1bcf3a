/// The command line, split into options and their values: `--name value`, `--name=value`, and
/// `--name` alone for what is on or off.
struct CommandLineFlags {
  var values: [(ConfigurationOption, String)] = []
  /// `--config`
  var file: String?
  var wantsHelp = false
  var wantsVersion = false
  var faults: [ConfigurationError.Fault] = []

  private static let ownFlags = ["--config", "--help", "--version"]

  init(_ arguments: [String], program: String) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let flag = String(parts[0])
      let attached = parts.count > 1 ? String(parts[1]) : nil
      switch flag {
      case "--help", "-h": wantsHelp = true
      case "--version": wantsVersion = true
      case "--config": file = value(of: flag, attached, &rest)
      default:
        guard let option = OptionTable.options.first(where: { $0.flag == flag }) else {
          faults.append(Self.unknown(argument, flag, program))
          // Its value, most probably: not a second fault.
          if flag.hasPrefix("-"), attached == nil, rest.first?.hasPrefix("-") == false {
            rest.removeFirst()
          }
          continue
        }
        if option.placeholder == nil {
          values.append((option, attached ?? "yes"))
        } else if let value = value(of: flag, attached, &rest) {
          values.append((option, value))
        }
      }
    }
  }

  private mutating func value(
    of flag: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) -> String? {
    if let attached { return attached }
    // A flag there means that the value was forgotten; one that begins so can be attached.
    if let next = rest.first, !next.hasPrefix("--") {
      rest.removeFirst()
      return next
    }
    faults.append(ConfigurationError.Fault(flag, "the value is missing"))
    return nil
  }

  private static func unknown(
    _ argument: String, _ flag: String, _ program: String
  ) -> ConfigurationError.Fault {
    guard argument.hasPrefix("-") else {
      return ConfigurationError.Fault(
        argument, "a word too many; options begin with --, see \(program) --help")
    }
    let near = Likeness.closest(to: flag, among: OptionTable.options.map(\.flag) + ownFlags)
    return ConfigurationError.Fault(
      flag, "unknown option; " + (near.map { "did you mean \($0)?" } ?? "see \(program) --help"))
  }
}
