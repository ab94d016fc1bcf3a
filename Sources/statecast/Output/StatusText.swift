import StateModel

/// A daemon's figures, and the sessions that are attached, as lines for a person.
enum StatusText {
  static func lines(figures: Value, sessions: Value) -> [String] {
    let figures = (figures.entries ?? ValueMap()).map { entry in
      line(entry.key.string ?? "", ValueText.compact(entry.value))
    }
    let attached = (sessions.elements.map(Array.init) ?? []).filter { isTrue($0["attached"]) }
    return figures + [line("attached", "\(attached.count)")] + attached.map(session)
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
