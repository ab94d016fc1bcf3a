/// One thing that can be set: its name in every place, its type, its help, and the member that it
/// sets. The default is the member's own.
struct ConfigurationOption: Sendable {
  /// Where it may be said.
  enum Scope: Sendable {
    case everywhere
    /// For one start, as a flag or in the environment: forgotten in a file it would do harm.
    case oneStart
  }

  /// The part of the file, and the first word of the flag (but for `daemon`, the general part).
  let section: String
  /// As in the file.
  let name: String
  /// What the value is, in capitals, for `--help`; nil for a flag that needs none.
  let placeholder: String?
  let help: String
  let scope: Scope
  /// The value as text.
  let text: @Sendable (Configuration) -> String
  /// Sets it from a text.
  let set: @Sendable (inout Configuration, String) throws(OptionValue.Fault) -> Void

  static let generalSection = "daemon"

  private var words: String { section == Self.generalSection ? name : "\(section)-\(name)" }

  /// `--limits-frame`
  var flag: String { "--\(words)" }

  /// `STATECAST_LIMITS_FRAME`
  var variable: String {
    "STATECAST_" + words.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// The default, as a file says it.
  var defaultText: String { text(Configuration()) }
}

extension ConfigurationOption {
  typealias Member<Value> = WritableKeyPath<Configuration, Value> & Sendable

  private init<Value>(
    _ section: String, _ name: String, _ member: any Member<Value>, _ placeholder: String?,
    _ help: String, scope: Scope = .everywhere, text: @escaping @Sendable (Value) -> String,
    parse: @escaping @Sendable (String) throws(OptionValue.Fault) -> Value
  ) {
    self.section = section
    self.name = name
    self.placeholder = placeholder
    self.help = help
    self.scope = scope
    self.text = { text($0[keyPath: member]) }
    set = { (configuration, text) throws(OptionValue.Fault) in
      configuration[keyPath: member] = try parse(text)
    }
  }

  static func bytes(
    _ section: String, _ name: String, _ member: any Member<Int>, atLeast least: Int = 1 << 10,
    _ help: String
  ) -> Self {
    Self(
      section, name, member, "SIZE", help, text: { OptionValue.text(bytes: $0) },
      parse: { text throws(OptionValue.Fault) in
        let bytes = try OptionValue.bytes(text)
        guard bytes >= least else {
          throw OptionValue.Fault(
            "\(text) is too small; at least \(OptionValue.text(bytes: least))")
        }
        guard bytes <= largestSize else {
          throw OptionValue.Fault(
            "\(text) is too large; at most \(OptionValue.text(bytes: largestSize))")
        }
        return bytes
      })
  }

  static func count(
    _ section: String, _ name: String, _ member: any Member<Int>,
    within range: ClosedRange<Int> = 1...1_000_000_000, _ help: String
  ) -> Self {
    Self(
      section, name, member, "NUMBER", help, text: { String($0) },
      parse: { text throws(OptionValue.Fault) in
        let count = try OptionValue.count(text)
        guard range.contains(count) else {
          throw OptionValue.Fault("\(text) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
      })
  }

  static func duration(
    _ section: String, _ name: String, _ member: any Member<Duration>, _ help: String
  ) -> Self {
    Self(
      section, name, member, "TIME", help, text: { OptionValue.text(duration: $0) },
      parse: { text throws(OptionValue.Fault) in
        let duration = try OptionValue.duration(text)
        guard duration >= .milliseconds(1), duration <= longestTime else {
          throw OptionValue.Fault("\(text) is not from 1 ms to \(longestTime.components.seconds) s")
        }
        return duration
      })
  }

  static func flag(
    _ section: String, _ name: String, _ member: any Member<Bool>, scope: Scope, _ help: String
  ) -> Self {
    Self(
      section, name, member, nil, help, scope: scope, text: { OptionValue.text(isOn: $0) },
      parse: { text throws(OptionValue.Fault) in try OptionValue.isOn(text) })
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ section: String, _ name: String, _ member: any Member<Choice>, _ help: String
  ) -> Self {
    Self(
      section, name, member, Choice.allCases.map(\.rawValue).joined(separator: "|"), help,
      text: { $0.rawValue },
      parse: { text throws(OptionValue.Fault) in try OptionValue.choice(text, of: Choice.self) })
  }

  static func text(
    _ section: String, _ name: String, _ member: any Member<String>, _ placeholder: String,
    _ help: String, _ check: @escaping @Sendable (String) throws(OptionValue.Fault) -> String
  ) -> Self {
    Self(section, name, member, placeholder, help, text: { $0 }, parse: check)
  }

  static func users(
    _ section: String, _ name: String, _ member: any Member<[UInt32]>, _ help: String
  ) -> Self {
    Self(
      section, name, member, "UID,UID", help,
      text: { $0.map { String($0) }.joined(separator: ", ") },
      parse: { text throws(OptionValue.Fault) in try OptionValue.users(text) })
  }

  /// More bytes than any machine has: nothing that is counted in them overflows.
  private static var largestSize: Int { 1 << 40 }
  /// Thirty days: longer than any pause, and far from what overflows in nanoseconds.
  private static var longestTime: Duration { .seconds(30 * 24 * 3600) }
}
