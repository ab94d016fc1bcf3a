import Foundation
import Journal
import StateModel
import SyncProtocol

/// What is done with a journal's files, beside or without a daemon.
extension Command {
  static let doctor = Command(
    name: "doctor", usage: "JOURNAL",
    summary: "check a journal that no daemon has open; changes nothing (--json)"
  ) { session in
    try session.expectAtMost(1)
    let path = try session.word(0, "the folder of a journal")
    let report = try Journals.failing { () throws(JournalError) in try JournalDoctor.examine(path) }
    try Journals.tell(report, session)
    switch report.verdict {
    case .sound: return
    case .damaged:
      throw ToolFailure(
        .damaged,
        "acknowledged commits are missing or damaged in the journal in \(report.folder)",
        advice: report.remedies.joined(separator: "; or ") + ".")
    case .tooNew:
      throw ToolFailure(
        .tooNew, "the journal in \(report.folder) was written by a newer version",
        advice: report.remedies.joined(separator: "; or ") + ".")
    }
  }

  static let backup = Command(
    name: "backup", usage: "JOURNAL TARGET",
    summary: "copy a journal to a new folder, also while its daemon runs, and check the copy"
  ) { session in
    try session.expectAtMost(2)
    let path = try session.word(0, "the folder of a journal")
    let target = try session.word(1, "the folder of the backup")
    Journals.keepPrivate()
    let report = try Journals.failing { () throws(JournalError) in
      try JournalBackup.make(of: path, at: target)
    }
    try Journals.tell(report, session)
  }

  static let restore = Command(
    name: "restore", usage: "BACKUP JOURNAL",
    summary: "put a backup in a journal's place; what was there is kept in its folder copies"
  ) { session in
    try session.expectAtMost(2)
    let backup = try session.word(0, "the folder of the backup")
    let path = try session.word(1, "the folder of the journal")
    Journals.keepPrivate()
    let (report, kept) = try Journals.failing { () throws(JournalError) in
      try JournalBackup.restore(backup, to: path)
    }
    try Journals.tell(report, session)
    if let kept { session.output.note("What was there is kept in \(kept).") }
  }

  static let replay = Command(
    name: "replay", usage: "--verify JOURNAL",
    summary: "run a journal's actions again; --daemon PROGRAM: an app's own daemon does it"
  ) { session in
    try session.expectAtMost(1)
    guard session.arguments.flags.contains("verify"), let path = session.words.first else {
      throw ToolFailure.usage(
        session.words.isEmpty
          ? "--verify and the folder of a journal are missing"
          : "--verify is missing: it runs the journal's actions to see that they give its states")
    }
    // The reducer is the daemon's: this tool has none.
    let code = try DaemonLauncher.runToEnd(
      session.arguments.options["daemon"], ["replay", "--verify", path])
    if code != 0 { exit(code) }
  }
}

/// How a journal's report is printed.
enum Journals {
  /// A journal has every action in it: a copy is for its user alone, wherever it is moved later.
  static func keepPrivate() { umask(0o077) }

  /// Runs `body`, and turns a journal's failure into one of the tool's.
  static func failing<Result>(
    _ body: () throws(JournalError) -> Result
  ) throws(ToolFailure) -> Result {
    do throws(JournalError) { return try body() } catch { throw ToolFailure(error) }
  }

  /// Prints a report: lines for people, one JSON object for scripts.
  static func tell(_ report: JournalReport, _ session: Session) throws(ToolFailure) {
    if session.arguments.flags.contains("json") {
      return try session.output.line(ValueText.compact(value(report)))
    }
    for line in lines(report) { try session.output.line(line) }
  }

  static func lines(_ report: JournalReport) -> [String] {
    var lines: [(String, String)] = [
      ("journal", report.folder), ("verdict", report.verdict.rawValue),
    ]
    if let commit = report.commit, let row = report.row {
      lines.append(("commit", "\(commit) (row \(row))"))
    }
    if let digest = report.digest { lines.append(("digest", "\(digest)")) }
    if let rows = report.keptRows {
      lines.append(
        ("rows", "\(rows.lowerBound) to \(rows.upperBound) are kept, \(report.keptBytes) bytes"))
    }
    if let row = report.snapshotRow { lines.append(("snapshot", "of row \(row)")) }
    if let row = report.markRow { lines.append(("mark", "row \(row)")) }
    if report.lineage != nil {
      lines += [("sessions", "\(report.sessions)"), ("starts", "\(report.epochs)")]
    }
    lines += report.findings.map { ("wrong", $0) } + report.notes.map { ("note", $0) }
    lines += report.remedies.map { ("try", $0) }
    return lines.map { name, text in
      name + String(repeating: " ", count: max(1, 10 - name.count)) + text
    }
  }

  static func value(_ report: JournalReport) -> Value {
    var entries: [String: Value] = [
      "folder": .text(report.folder), "verdict": .text(report.verdict.rawValue),
      "findings": .array(report.findings.map { .text($0) }),
      "notes": .array(report.notes.map { .text($0) }),
      "remedies": .array(report.remedies.map { .text($0) }),
      "sessions": .unsigned(UInt64(report.sessions)), "starts": .unsigned(report.epochs),
      "bytes": .unsigned(UInt64(report.keptBytes)),
    ]
    entries["lineage"] = report.lineage.map { .text(hexadecimal($0.bytes.bytes)) } ?? .null
    entries["commit"] = report.commit.map { .unsigned($0.rawValue) } ?? .null
    entries["row"] = report.row.map { .unsigned($0) } ?? .null
    entries["digest"] = report.digest.map { .text("\($0)") } ?? .null
    entries["firstRow"] = report.keptRows.map { .unsigned($0.lowerBound) } ?? .null
    entries["snapshotRow"] = report.snapshotRow.map { .unsigned($0) } ?? .null
    entries["markRow"] = report.markRow.map { .unsigned($0) } ?? .null
    return .map(entries)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
