internal import Glibc
internal import Synchronization

/// What the daemon tells its operator: one line each, to standard error or a file, never with an
/// action's payload in it.
package final class Log: Sendable {
  /// How much a line matters.
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case debug
    case info
    case warning
    case error

    package static func < (less: Level, more: Level) -> Bool { less.priority > more.priority }

    /// syslog's number, which systemd's journal reads from `<6>` before a line.
    var priority: Int {
      switch self {
      case .debug: 7
      case .info: 6
      case .warning: 4
      case .error: 3
      }
    }

    /// What a terminal shows it in.
    var colour: String {
      switch self {
      case .debug: "\u{1B}[2m"
      case .info: "\u{1B}[32m"
      case .warning: "\u{1B}[33m"
      case .error: "\u{1B}[31m"
      }
    }
  }

  /// How a line looks.
  package enum Style: Equatable, Sendable {
    /// `2026-11-30T10:20:30.123Z warning: text`
    case plain
    /// The same, its level in colour.
    case coloured
    /// `<4>text`: systemd's journal adds the time itself.
    case journal
  }

  private let least: Level
  private let style: Style
  private let file: String?
  private let descriptor: Mutex<Int32>
  /// Seconds since 1970.
  private let now: @Sendable () -> Double

  /// To standard error, or to the end of a file. Fails where the file cannot be opened.
  package init(
    _ least: Level, file: String? = nil, environment: [String: String] = [:],
    now: @escaping @Sendable () -> Double = Log.wallClock
  ) throws(HostFailure) {
    self.least = least
    self.file = file
    self.now = now
    if let file {
      style = .plain
      descriptor = Mutex(try Self.open(file))
    } else {
      style = Self.style(environment: environment, isTerminal: isatty(STDERR_FILENO) == 1)
      descriptor = Mutex(STDERR_FILENO)
    }
  }

  /// To a descriptor that stays the caller's: for tests.
  package init(
    _ least: Level, descriptor: Int32, style: Style,
    now: @escaping @Sendable () -> Double = Log.wallClock
  ) {
    self.least = least
    self.style = style
    self.now = now
    file = nil
    self.descriptor = Mutex(descriptor)
  }

  deinit {
    if file != nil { descriptor.withLock { _ = Glibc.close($0) } }
  }

  package func debug(_ text: @autoclosure () -> String) { add(.debug, text) }
  package func info(_ text: @autoclosure () -> String) { add(.info, text) }
  package func warning(_ text: @autoclosure () -> String) { add(.warning, text) }
  package func error(_ text: @autoclosure () -> String) { add(.error, text) }

  /// Adds a line if its level is told.
  package func add(_ level: Level, _ text: () -> String) {
    guard level >= least else { return }
    let line = Array(Self.line(level, text(), style: style, at: now()).utf8)
    // One write a line: lines of several threads never mix. Where it fails there is nobody to tell.
    descriptor.withLock { _ = write($0, line, line.count) }
  }

  /// Opens the file anew: after it was moved away, lines go to a new one. Nothing for standard
  /// error. If it cannot be opened, the old one is kept, and says so.
  package func reopen() {
    guard let file else { return }
    do throws(HostFailure) {
      let new = try Self.open(file)
      descriptor.withLock { descriptor in
        _ = Glibc.close(descriptor)
        descriptor = new
      }
    } catch {
      self.error(error.description)
    }
  }

  private static func open(_ file: String) throws(HostFailure) -> Int32 {
    let descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HostFailure(
        "the log file \(file) cannot be opened: \(HostFailure.reason(errno))",
        advice: "Make its folder, or name another file with --log-file.")
    }
    return descriptor
  }

  /// Under systemd standard error is the journal; colour is for people at terminals who did not
  /// ask for none (https://no-color.org).
  static func style(environment: [String: String], isTerminal: Bool) -> Style {
    if isTerminal {
      return environment["NO_COLOR"].map(\.isEmpty) ?? true ? .coloured : .plain
    }
    return environment["JOURNAL_STREAM"] == nil ? .plain : .journal
  }

  static func line(_ level: Level, _ text: String, style: Style, at seconds: Double) -> String {
    // Whatever a text holds, it is one line and moves no cursor.
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": safe += "\\n"
      case "\t": safe += "\\t"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        safe += "\\u{\(String(scalar.value, radix: 16))}"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    switch style {
    case .journal: return "<\(level.priority)>\(safe)\n"
    case .plain: return "\(timestamp(seconds)) \(level.rawValue): \(safe)\n"
    case .coloured:
      return "\(timestamp(seconds)) \(level.colour)\(level.rawValue)\u{1B}[0m: \(safe)\n"
    }
  }

  /// UTC, with milliseconds: `2026-11-30T10:20:30.123Z`.
  static func timestamp(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded(.down))
    var time = time_t(milliseconds / 1000)
    var parts = tm()
    gmtime_r(&time, &parts)
    func padded(_ number: some BinaryInteger, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date =
      "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
    let clock =
      "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
    return "\(date)T\(clock).\(padded(milliseconds % 1000, 3))Z"
  }

  /// Seconds since 1970.
  package static func wallClock() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
