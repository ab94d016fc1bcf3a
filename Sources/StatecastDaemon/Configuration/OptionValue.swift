/// How values are written in files, flags and the environment: what a person types, and back.
enum OptionValue {
  /// Why a text is no value; completes "frame: …".
  struct Fault: Error, Equatable {
    var text: String
    init(_ text: String) { self.text = text }
  }

  // MARK: Bytes

  private static let byteUnits: [(name: String, bytes: Int)] = [
    ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
  ]

  /// `16 MiB`, the largest unit that divides it.
  static func text(bytes: Int) -> String {
    for unit in byteUnits where bytes != 0 && bytes % unit.bytes == 0 && unit.bytes > 1 {
      return "\(bytes / unit.bytes) \(unit.name)"
    }
    return String(bytes)
  }

  static func bytes(_ text: String) throws(Fault) -> Int {
    let (digits, unit) = split(text)
    let scale = unit.isEmpty ? 1 : byteUnits.first { $0.name.lowercased() == unit }?.bytes
    guard let number = Int(digits), let scale,
      case (let bytes, let overflow) = number.multipliedReportingOverflow(by: scale), !overflow
    else {
      throw Fault("\"\(text)\" is no size; write it like 65536, 256 KiB or 16 MiB")
    }
    return bytes
  }

  // MARK: Durations

  private static let timeUnits: [(name: String, milliseconds: Int64)] = [
    ("h", 3_600_000), ("min", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// `250 ms` or `10 s`.
  static func text(duration: Duration) -> String {
    let milliseconds = milliseconds(duration)
    return milliseconds % 1000 == 0 && milliseconds != 0
      ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }

  static func duration(_ text: String) throws(Fault) -> Duration {
    let (digits, unit) = split(text)
    guard let number = Int64(digits), let scale = timeUnits.first(where: { $0.name == unit }),
      case (let milliseconds, let overflow) = number.multipliedReportingOverflow(
        by: scale.milliseconds),
      !overflow
    else {
      throw Fault("\"\(text)\" is no duration; write it like 250 ms, 10 s, 5 min or 1 h")
    }
    return .milliseconds(milliseconds)
  }

  static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  // MARK: The rest

  static func count(_ text: String) throws(Fault) -> Int {
    guard let number = Int(text) else { throw Fault("\"\(text)\" is no whole number") }
    return number
  }

  /// `yes` or `no`.
  static func text(isOn: Bool) -> String { isOn ? "yes" : "no" }

  static func isOn(_ text: String) throws(Fault) -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default: throw Fault("\"\(text)\" is neither yes nor no")
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, of type: Choice.Type
  ) throws(Fault) -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    let all = Choice.allCases.map(\.rawValue)
    let hint = Likeness.closest(to: text, among: all).map { "; did you mean \($0)?" } ?? ""
    throw Fault("\"\(text)\" is none of \(all.joined(separator: ", "))\(hint)")
  }

  /// Numbers of users, with commas or spaces between them.
  static func users(_ text: String) throws(Fault) -> [UInt32] {
    var users: [UInt32] = []
    for word in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      guard let user = UInt32(word) else {
        throw Fault("\"\(word)\" is no user's number; write them like 1000, 1001 (id -u tells one)")
      }
      users.append(user)
    }
    return users
  }

  static func path(_ text: String) throws(Fault) -> String {
    guard text.isEmpty || text.hasPrefix("/") || text.hasPrefix("~/") else {
      throw Fault("\"\(text)\" is no absolute path; begin it with / or ~/")
    }
    return text
  }

  static func endpoint(_ text: String) throws(Fault) -> String {
    guard text.isEmpty || text.hasPrefix("ipc:///") || text.hasPrefix("tcp://") else {
      throw Fault("\"\(text)\" is no endpoint; write it like ipc:///path or tcp://127.0.0.1:port")
    }
    // Until connections have keys, tcp is for this machine alone.
    let isLoopback = ["tcp://127.0.0.1:", "tcp://[::1]:"].contains { text.hasPrefix($0) }
    guard !text.hasPrefix("tcp://") || isLoopback else {
      throw Fault("\"\(text)\" is not on this machine; tcp is for 127.0.0.1 and [::1] only")
    }
    if isLoopback {
      // libzmq takes 65537 for 1, and tells of a word only when it binds.
      let port = text[text.index(after: text.lastIndex(of: ":") ?? text.startIndex)...]
      guard port == "*" || (UInt16(port) != nil && port.allSatisfy(\.isNumber)) else {
        throw Fault("\"\(port)\" is no port; write a number up to 65535, or * for any that is free")
      }
    }
    return text
  }

  /// The number and the unit behind it in small letters, which a space may part.
  private static func split(_ text: String) -> (digits: String, unit: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    return (String(digits), unit.lowercased())
  }
}
