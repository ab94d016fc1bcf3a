import FoundationEssentials
import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let who = Command(
    name: "who", usage: "",
    summary: "list who is present, since when, and how far behind (--json)",
    details: """
      How far behind counts the commits between what a client's mirrors last said that they show and
      what had been published by then; of one that says nothing any more, what is published now.
      """
  ) { session in
    try session.expectAtMost(0)
    try await session.connected { (connection) throws(ToolFailure) in
      guard case .value(let sessions) = try await connection.asked(.sessions).body else { return }
      let present = (sessions.elements.map(Array.init) ?? []).filter {
        $0["present"] == .bool(true)
      }
      if session.arguments.flags.contains("json") {
        return try session.output.line(ValueText.compact(.array(present.map(AttendanceText.brief))))
      }
      for client in present { try session.output.line(AttendanceText.line(client)) }
    }
  }
}

/// A client that is present, as a line for a person.
enum AttendanceText {
  /// `client 7  status bar  since 2026-11-30T19:30:00Z  12 commits behind`.
  static func line(_ session: Value) -> String {
    let name = session["name"]?.string ?? ""
    var parts = [
      "client \(session["public"].map(ValueText.compact) ?? "?")", name.isEmpty ? "no name" : name,
    ]
    if let date = since(session) { parts.append("since \(date.formatted(.iso8601))") }
    if session["away"] == .bool(true) { parts.append("away") }
    if let lag = lag(session) { parts.append(lag) }
    return TerminalText.safe(parts.joined(separator: "  "), keepsLines: false)
  }

  /// What `who` is about, without what else is known of a session.
  static func brief(_ session: Value) -> Value {
    .map([
      "client": session["public"] ?? .null, "name": session["name"] ?? .null,
      "since": since(session).map { .text($0.formatted(.iso8601)) } ?? .null,
      "away": session["away"] ?? .null, "behind": session["behind"] ?? .null,
    ])
  }

  /// `12 commits behind`; nil of a client that mirrors nothing, or has not told yet.
  static func lag(_ session: Value) -> String? {
    guard case .unsigned(let behind)? = session["behind"] else { return nil }
    if behind == 0 { return "up to date" }
    return "\(behind) commit\(behind == 1 ? "" : "s") behind"
  }

  private static func since(_ session: Value) -> Date? {
    guard case .float(let seconds)? = session["since"], seconds.isFinite, abs(seconds) < 1e11 else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}
