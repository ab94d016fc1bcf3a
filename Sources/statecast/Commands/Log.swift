import FoundationEssentials
import Journal
import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let log = Command(
    name: "log", usage: "[COMMIT]",
    summary: "print what was done, from a commit on (--json; --journal: also in earlier runs)",
    details: """
      A line an entry: the commit, the time, who sent it, what it was. What was refused stands at the
      commit before it, with the reason. The daemon keeps the newest entries of its present run in
      memory. With --journal FOLDER (the daemon's --state-directory) the journal itself is read, as far
      back as its rows are kept, with or without the daemon; this user must be able to
      read it.
      """
  ) { session in
    try session.expectAtMost(1)
    let first = try session.commit(0)
    if let journal = session.arguments.options["journal"] {
      guard !journal.isEmpty else {
        throw ToolFailure.usage("--journal takes a folder, not \"\"")
      }
      return try session.showLog(of: journal, from: first)
    }
    try await session.connected { (connection) throws(ToolFailure) in
      // What is done while this is printed is another day's: a busy daemon's log has no end.
      let last = try await connection.asked(.stats).header.commit
      var reader = LogReader(from: first)
      var isBeginning = true
      while true {
        let entries: [Value]
        do throws(ConnectionFailure) {
          entries = try await reader.next(on: connection)
        } catch { throw ToolFailure(error) }
        if isBeginning { session.noteMissing(before: entries.first, from: first) }
        isBeginning = false
        for entry in entries { try session.show(logged: entry) }
        guard let newest = entries.last.flatMap(LogReader.commit), newest < last else { return }
      }
    }
  }
}

extension Session {
  /// The word at `index` as a commit; the first one without.
  fileprivate func commit(_ index: Int) throws(ToolFailure) -> CommitNumber {
    guard index < words.count else { return .zero }
    guard let number = UInt64(words[index]) else {
      throw .usage("a commit is a number, not \(words[index])")
    }
    return CommitNumber(rawValue: number)
  }

  /// Prints what a journal has, whose daemon may run or not.
  fileprivate func showLog(of journal: String, from first: CommitNumber) throws(ToolFailure) {
    var failure: ToolFailure?
    try Journals.failing { () throws(JournalError) in
      let pass = try JournalPass(journal)
      guard let rows = pass.rows else { return }
      try pass.forEach(from: rows.lowerBound) { row in
        guard row.last >= first else { return true }
        do throws(ToolFailure) {
          for entry in row.logged where LogReader.commit(entry).map({ $0 >= first }) == true {
            try show(logged: entry)
          }
          return true
        } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
  }

  /// Says where the rest is, if the daemon's memory does not reach back to what was asked for.
  fileprivate func noteMissing(before entry: Value?, from first: CommitNumber) {
    guard let oldest = entry.flatMap(LogReader.commit), oldest.rawValue > max(first.rawValue, 1)
    else { return }
    output.note(
      "-- The daemon remembers its entries from commit \(oldest) on; `statecast log --journal FOLDER` "
        + "reads earlier ones in its journal.")
  }

  fileprivate func show(logged entry: Value) throws(ToolFailure) {
    guard arguments.flags.contains("json") else {
      return try output.line(LoggedText.line(entry))
    }
    var whole = entry
    whole["entry"] = LoggedText.content(entry) ?? .null
    try output.line(ValueText.compact(whole))
  }
}

/// An entry of a daemon's log as a line for a person.
enum LoggedText {
  /// `7  2026-11-30T19:30:00Z  client 2  {"counter":"incrementButtonTapped"}`.
  static func line(_ entry: Value) -> String {
    let commit = entry["commit"].map(ValueText.compact) ?? "?"
    let content = content(entry) ?? .null
    var line = "\(commit)  \(date(entry))  \(sender(entry, content))  \(what(content))"
    let code = entry["code"]?.string ?? ""
    if code == "no-change" {
      line += "  (no-change)"
    } else if code != "ok" {
      line += "  (refused: \(code): \(entry["text"]?.string ?? ""))"
    }
    // One line, whatever a client calls itself.
    return TerminalText.safe(line, keepsLines: false)
  }

  /// What was done, decoded.
  static func content(_ entry: Value) -> Value? {
    guard case .bytes(let bytes)? = entry["entry"] else { return nil }
    return try? Value(encoded: bytes)
  }

  private static func date(_ entry: Value) -> String {
    guard case .float(let seconds)? = entry["date"], seconds.isFinite, abs(seconds) < 1e11 else {
      return "?"
    }
    return Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
  }

  private static func sender(_ entry: Value, _ content: Value) -> String {
    if case .unsigned(let client)? = entry["origin"] { return "client \(client)" }
    if content[0]?.string == "effect", let cause = content[2] {
      return "effect of \(ValueText.compact(cause))"
    }
    return "daemon"
  }

  private static func what(_ content: Value) -> String {
    func text(_ index: Int) -> String { content[index].map { ValueText.shortened($0) } ?? "?" }
    func name(_ index: Int) -> String { content[index]?.string ?? text(index) }
    switch content[0]?.string {
    case "do", "effect": return text(1)
    case "set": return "set \(name(1)) \(text(2))"
    case "answer" where content[2] == .null: return "dismiss \(text(1))"
    case "answer": return "answer \(text(1)) with button \(text(2)), counted from 0"
    case "offer", "withdraw": return "\(name(0)) \(name(1))"
    case "started": return "started"
    case "joined": return "client \(text(1)) joined" + (name(2).isEmpty ? "" : " as \(name(2))")
    case "away": return "client \(text(1)) is away"
    case "back": return "client \(text(1)) is back"
    case "left": return "client \(text(1)) left"
    case "migrated":
      guard case .unsigned(let hash)? = content[1] else { return "migrated" }
      return "migrated from the schema \(Digest(rawValue: hash))"
    default: return ValueText.shortened(content)
    }
  }
}
