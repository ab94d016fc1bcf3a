import Foundation
import Testing

@testable import StatecastDaemon

@Suite("The log")
struct LogTests {
  /// 2026-11-30 10:20:30.123 UTC
  private static let moment = 1_796_034_030.1234

  @Test(
    "is a line each, with time and level",
    arguments: [
      (Log.Style.plain, "2026-11-30T10:20:30.123Z warning: text\n"),
      (.coloured, "2026-11-30T10:20:30.123Z \u{1B}[33mwarning\u{1B}[0m: text\n"),
      (.journal, "<4>text\n"),
    ])
  func lines(style: Log.Style, expected: String) {
    #expect(Log.line(.warning, "text", style: style, at: Self.moment) == expected)
  }

  @Test("stays one line and moves no cursor whatever a text holds")
  func control() {
    #expect(
      Log.line(.info, "a\nb\tc\u{1B}[31md\r\u{0}\u{9B}é", style: .journal, at: 0)
        == "<6>a\\nb\\tc\\u{1b}[31md\\u{d}\\u{0}\\u{9b}é\n")
  }

  @Test("is in colour at a terminal alone, and not where none is wanted")
  func styles() {
    #expect(Log.style(environment: [:], isTerminal: true) == .coloured)
    #expect(Log.style(environment: ["NO_COLOR": "1"], isTerminal: true) == .plain)
    #expect(Log.style(environment: ["NO_COLOR": ""], isTerminal: true) == .coloured)
    #expect(Log.style(environment: [:], isTerminal: false) == .plain)
    #expect(Log.style(environment: ["JOURNAL_STREAM": "8:1"], isTerminal: false) == .journal)
  }

  @Test("tells what is at least as important as asked, and makes no text otherwise")
  func levels() throws {
    let folder = try TestFolder()
    let log = try Log(.warning, file: folder.file("log"), now: { Self.moment })
    var wasMade = false
    func made() -> String {
      wasMade = true
      return "debug"
    }
    log.debug(made())
    log.info("info")
    log.warning("warning")
    log.error("error")
    #expect(!wasMade)
    #expect(
      try folder.read("log")
        == "2026-11-30T10:20:30.123Z warning: warning\n2026-11-30T10:20:30.123Z error: error\n")
  }

  @Test("goes on at the end of its file, and in a new one when it was moved away")
  func reopening() throws {
    let folder = try TestFolder()
    try folder.write("before\n", to: "log")
    let log = try Log(.info, file: folder.file("log"), now: { Self.moment })
    log.info("1")
    try FileManager.default.moveItem(atPath: folder.file("log"), toPath: folder.file("old"))
    log.info("2")
    log.reopen()
    log.info("3")
    #expect(
      try folder.read("old")
        == "before\n2026-11-30T10:20:30.123Z info: 1\n2026-11-30T10:20:30.123Z info: 2\n")
    #expect(try folder.read("log") == "2026-11-30T10:20:30.123Z info: 3\n")
  }

  @Test("keeps its file and says so when a new one cannot be made")
  func reopeningFails() throws {
    let folder = try TestFolder()
    mkdir(folder.file("a"), 0o700)
    let log = try Log(.info, file: folder.file("a/log"), now: { Self.moment })
    try FileManager.default.moveItem(atPath: folder.file("a"), toPath: folder.file("b"))
    log.reopen()
    #expect(
      try folder.read("b/log")
        == "2026-11-30T10:20:30.123Z error: the log file \(folder.file("a/log")) cannot be opened:"
        + " No such file or directory. Make its folder, or name another file with --log-file.\n")
  }

  @Test("says what is wrong with its file")
  func noFile() throws {
    let folder = try TestFolder()
    let path = folder.file("missing/log")
    #expect(
      failure { _ = try Log(.info, file: path) }
        == "the log file \(path) cannot be opened: No such file or directory. Make its folder, or"
        + " name another file with --log-file.")
  }
}
