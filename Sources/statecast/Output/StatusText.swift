import StateModel

/// A daemon's figures, and the sessions that are attached, as lines for a person.
///
/// Whoever asks has a session for that, and makes requests: it would always find one more than there
/// is without it.
enum StatusText {
  /// What goes up by this command's own questions, and by how much only the daemon could tell.
  private static let countingQuestions: Set<String> = ["requests", "batches"]

  /// - Parameter own: the client number of the session that asks.
  static func lines(figures: Value, sessions: Value, own: UInt64?) -> [String] {
    let figures = (figures.entries ?? ValueMap()).map { entry in
      let name = entry.key.string ?? ""
      if name == "sessions", own != nil, case .unsigned(let count) = entry.value, count > 0 {
        return line(name, "\(count - 1)")
      }
      let note = countingQuestions.contains(name) ? ", with those of this command" : ""
      return line(name, ValueText.compact(entry.value) + note)
    }
    let attached = (sessions.elements.map(Array.init) ?? []).filter {
      isTrue($0["attached"]) && $0["public"] != own.map { .unsigned($0) }
    }
    let without = own.map { " beside this command (client \($0))" } ?? ""
    return figures + [line("attached", "\(attached.count)\(without)")] + attached.map(session)
  }

  /// A name and what stands beside it, on one line whatever a client calls itself.
  static func line(_ name: String, _ text: String) -> String {
    name + String(repeating: " ", count: max(1, 20 - name.count))
      + TerminalText.safe(text, keepsLines: false)
  }

  private static func session(_ session: Value) -> String {
    func text(_ key: String) -> String { session[key].map(ValueText.compact) ?? "?" }
    let name = session["name"]?.string ?? ""
    var parts = [name.isEmpty ? "no name" : name, "\(text("views")) views"]
    if isTrue(session["present"]) { parts.append("present") }
    if isTrue(session["away"]) { parts.append("away") }
    if let lag = AttendanceText.lag(session) { parts.append(lag) }
    let handles = (session["handles"]?.elements.map(Array.init) ?? []).compactMap(\.string)
    if !handles.isEmpty { parts.append("offers \(handles.joined(separator: ", "))") }
    return line("  client \(text("public"))", parts.joined(separator: ", "))
  }

  private static func isTrue(_ value: Value?) -> Bool {
    if case .bool(true) = value { true } else { false }
  }
}
