/// Reads a configuration from flags, environment and file, in this order of precedence, over the
/// defaults.
package struct ConfigurationLoader {
  /// What the command line asks for.
  package enum Request: Equatable, Sendable {
    /// To serve with this configuration. The notes are worth a line of the log: not wrong, but
    /// probably not what was meant.
    case serve(Configuration, notes: [String])
    /// To print this and end.
    case print(String)
  }

  /// The program's name, for `--help`.
  package var program: String
  /// The app's name: what its folders are called.
  package var name: String
  /// Flags, without the program's name.
  package var arguments: [String]
  package var environment: [String: String]
  /// A file's bytes, or why there are none.
  package var read: (String) -> Result<[UInt8], FileFailure>

  /// Why a file could not be read.
  package struct FileFailure: Error, Equatable, Sendable {
    /// There is none: no fault unless it was asked for.
    package var isMissing: Bool
    package var text: String

    package init(isMissing: Bool, text: String) {
      self.isMissing = isMissing
      self.text = text
    }
  }

  package init(
    program: String, name: String, arguments: [String], environment: [String: String],
    read: @escaping (String) -> Result<[UInt8], FileFailure>
  ) {
    self.program = program
    self.name = name
    self.arguments = arguments
    self.environment = environment
    self.read = read
  }

  private typealias Fault = ConfigurationError.Fault

  /// Reads it all.
  package func load() throws(ConfigurationError) -> Request {
    let line = CommandLineFlags(arguments, program: program)
    if line.wantsHelp { return .print(HelpText.make(program: program, name: name)) }
    if line.wantsVersion { return .print("\(program) 0.1, protocol 1") }

    var result = Reading()
    result.faults += line.faults
    readFile(asked: line.file ?? environment["STATECAST_CONFIG"].nonEmpty, into: &result)
    readEnvironment(into: &result)
    for (option, value) in line.values { result.set(option, value, at: option.flag) }
    let relations = result.configuration.contradictions.map { contradiction in
      let places = contradiction.options.compactMap { result.places[$0] }
      return Fault(places.first ?? "", contradiction.text)
    }
    // A value that could not be read leaves the default, which may contradict: one fault, not two.
    if result.faults.isEmpty { result.faults = relations }
    guard result.faults.isEmpty else { throw ConfigurationError(result.faults) }
    return .serve(result.configuration, notes: result.notes)
  }

  /// What was read so far.
  private struct Reading {
    var configuration = Configuration()
    var faults: [Fault] = []
    var notes: [String] = []
    /// Where each option was last set, by its flag.
    var places: [String: String] = [:]

    mutating func set(_ option: ConfigurationOption, _ value: String, at place: String) {
      do throws(OptionValue.Fault) {
        try option.set(&configuration, value)
        places[option.flag] = place
      } catch {
        faults.append(Fault(place, error.text))
      }
    }
  }

  // MARK: File

  /// Where the file is unless it is named: the user's own before the machine's.
  var usualFiles: [String] {
    let file = "\(name)/\(name)d.conf"
    var files: [String] = []
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      files.append("\(folder)/\(file)")
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      files.append("\(home)/.config/\(file)")
    }
    return files + ["/etc/\(file)"]
  }

  private func readFile(asked: String?, into result: inout Reading) {
    for path in asked.map({ [$0] }) ?? usualFiles {
      switch read(path) {
      case .success(let bytes):
        apply(ConfigurationFile(bytes), of: path, to: &result)
        return
      case .failure(let failure):
        if failure.isMissing, asked == nil { continue }
        let why = asked == nil ? "" : "; --config or STATECAST_CONFIG names it"
        result.faults.append(Fault(path, failure.text + why))
        return
      }
    }
  }

  private func apply(_ file: ConfigurationFile, of path: String, to result: inout Reading) {
    var faults = file.faults.map { (line: $0.line, text: $0.text) }
    var firstLines: [String: Int] = [:]
    var unknownSections: Set<String> = []
    for entry in file.entries {
      let place = "\(path):\(entry.line)"
      let known = OptionTable.options.filter { $0.section == entry.section }
      guard !known.isEmpty else {
        // Once for all that stands under it.
        guard unknownSections.insert(entry.section).inserted else { continue }
        faults.append((entry.line, Self.unknownSection(entry.section)))
        continue
      }
      guard let option = known.first(where: { $0.name == entry.key }) else {
        faults.append((entry.line, Self.unknownKey(entry.key, in: entry.section, known)))
        continue
      }
      if let first = firstLines.updateValue(entry.line, forKey: option.flag) {
        faults.append(
          (entry.line, "\(entry.key) in [\(entry.section)] is set again, first in line \(first)"))
        continue
      }
      guard option.scope == .everywhere else {
        faults.append(
          (entry.line, "\(entry.key) is for one start only; give it as \(option.flag), not here"))
        continue
      }
      result.set(option, entry.value, at: place)
    }
    result.faults += faults.sorted { $0.line < $1.line }.map {
      Fault("\(path):\($0.line)", $0.text)
    }
  }

  private static func unknownSection(_ section: String) -> String {
    let names = OptionTable.sections.map(\.name)
    guard !section.isEmpty else {
      return "a key before any section; put it under one of "
        + names.map { "[\($0)]" }.joined(separator: ", ")
    }
    let hint = Likeness.closest(to: section, among: names).map { "; did you mean [\($0)]?" }
    return "unknown section [\(section)]"
      + (hint ?? "; there are " + names.map { "[\($0)]" }.joined(separator: ", "))
  }

  private static func unknownKey(
    _ key: String, in section: String, _ known: [ConfigurationOption]
  ) -> String {
    if let near = Likeness.closest(to: key, among: known.map(\.name)) {
      return "unknown key \(key) in [\(section)]; did you mean \(near)?"
    }
    if let elsewhere = OptionTable.options.first(where: { $0.name == key }) {
      return "unknown key \(key) in [\(section)]; it belongs under [\(elsewhere.section)]"
    }
    return "unknown key \(key) in [\(section)]"
  }

  // MARK: Environment

  private func readEnvironment(into result: inout Reading) {
    for option in OptionTable.options {
      guard let value = environment[option.variable] else { continue }
      result.set(option, value, at: option.variable)
    }
    // Other programs of the family have variables, too: only what looks like a slip is told.
    let known = OptionTable.options.map(\.variable) + ["STATECAST_CONFIG"]
    for variable in environment.keys.sorted()
    where variable.hasPrefix("STATECAST_") && !known.contains(variable) {
      guard let near = known.first(where: { Likeness.distance($0, variable) <= 2 }) else {
        continue
      }
      result.notes.append("\(variable) in the environment means nothing; did you mean \(near)?")
    }
  }
}

extension String? {
  fileprivate var nonEmpty: String? { self?.isEmpty == true ? nil : self }
}
