import Foundation
import Journal
import StateModel
import StatecastTesting
import SyncProtocol
import Testing
import ZeroMQ

@testable import statecast

@Suite("statecast: what it makes of words, files and questions")
struct ToolWordsTests {
  @Mirrored struct Form {
    var title: String
    var nickname: String?
    var id: UUID
    var count: Int
    var isOn: Bool
  }

  @Test(
    "Where a text belongs every word is a text; elsewhere it is JSON or a bare word",
    arguments: [
      ("42", .text, #""42""#), ("true", .text, #""true""#), ("", .text, #""""#),
      ("3 apples", .text, #""3 apples""#), ("[x]", .text, #""[x]""#),
      ("Ada-Lovelace, 3rd", .text, #""Ada-Lovelace, 3rd""#), (#""quoted""#, .text, #""quoted""#),
      ("null", .text, #""null""#), ("null", .optional(.text), "null"),
      ("7", .optional(.text), #""7""#), ("42", .integer(least: 0, greatest: 9), "42"),
      ("dark", .named("Theme"), #""dark""#), ("true", .bool, "true"), ("1", nil, "1"),
    ] as [(String, SchemaNode?, String)])
  func typed(text: String, type: SchemaNode?, json: String) throws {
    #expect(
      try ActionText.json(text, for: type).isIdentical(to: try ActionText.json(json)))
  }

  @Test(
    "What begins with a slash is a path, whatever is in it",
    arguments: ["/a~1b", "/a b/(c)", "/~0", "/{x}"])
  func pointers(text: String) throws {
    #expect(try ActionText.json(text).string == text)
  }

  @Test("Output that cannot be written is a failure; a reader that left is none")
  func output() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let failure = #expect(throws: ToolFailure.self) {
      try Output(descriptor: full.fileDescriptor).line("data")
    }
    #expect(
      failure
        == ToolFailure(
          .failure, "the output cannot be written: No space left on device",
          advice: "Is there room where it goes? What was asked of the daemon is done."))
  }

  private static func alert(_ id: UInt8, _ title: String) throws -> ShownAlert {
    try #require(
      ShownAlert.first(
        in: .tag(
          60002,
          .map(["id": .unsigned(UInt64(id)), "title": .text(title), "buttons": .array([])]))))
  }

  @Test("The one question is found in whatever view shows it; of several one has to be named")
  func answer() throws {
    let count = try Self.alert(1, "Count?")
    let other = try Self.alert(2, "Delete?")
    let found = try Command.theOne(
      of: [("app", count), ("counter", count)], in: ["app", "counter", "tasks"])
    #expect(found == count)
    let none = #expect(throws: ToolFailure.self) { try Command.theOne(of: [], in: ["a", "b"]) }
    #expect(none?.message == "nothing is asked in the views a, b")
    #expect(none?.code == .refused)
    let one = #expect(throws: ToolFailure.self) { try Command.theOne(of: [], in: ["a"]) }
    #expect(one?.message == "nothing is asked in the view a")
    let several = #expect(throws: ToolFailure.self) {
      try Command.theOne(of: [("a", count), ("b", other)], in: ["a", "b"])
    }
    #expect(
      several
        == ToolFailure(
          .usage, "several questions are asked: \"Count?\" in a and \"Delete?\" in b",
          advice: "Say which view's is meant: statecast answer BUTTON a."))
  }

  @Test(
    "The editor is VISUAL, then EDITOR, each unless it is empty",
    arguments: [
      ([:], "vi"), (["EDITOR": ""], "vi"), (["EDITOR": "nano"], "nano"),
      (["VISUAL": "", "EDITOR": "nano"], "nano"), (["VISUAL": "ed", "EDITOR": "nano"], "ed"),
    ] as [([String: String], String)])
  func editor(environment: [String: String], editor: String) {
    #expect(Draft.editor(environment) == editor)
  }

  @Test("A text that could not be sent is kept, and the failure names its file")
  func draft() throws {
    let folder = try ScratchFolder()
    let file = URL(fileURLWithPath: folder.file("text"))
    try Data("new".utf8).write(to: file)
    let failure = Draft(file: file, before: "old", text: "new")
      .kept(behind: ToolFailure(.failure, "it is not JSON", advice: "Edit it again."))
    #expect(failure.advice == "Edit it again. Your text is kept in \(file.path).")
    #expect(FileManager.default.fileExists(atPath: file.path))
    let same = Draft(file: file, before: "new", text: "new")
      .kept(behind: ToolFailure(.failure, "no", advice: ""))
    #expect(same.advice == "")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("A socket's file that is missing is noticed; what is no file has to be asked")
  func isThere() throws {
    let folder = try ScratchFolder()
    #expect(!DaemonEndpoints(folder: folder.path).isThere)
    try Data().write(to: URL(fileURLWithPath: folder.file("requests")))
    #expect(DaemonEndpoints(folder: folder.path).isThere)
    #expect(DaemonEndpoints(requests: "tcp://127.0.0.1:1", publications: "").isThere)
  }

  @Test("A journal's lineage is told in hexadecimal digits")
  func lineage() {
    var report = JournalReport(folder: "/j", verdict: .sound)
    report.lineage = Lineage(Bytes16(high: 0x0102_0304_0506_0708, low: 0xF0))
    #expect(Journals.value(report)["lineage"]?.string == "010203040506070800000000000000f0")
  }

  @Test("A long value is shown by its beginning")
  func shortened() {
    #expect(ValueText.shortened(.text("abc"), to: 5) == #""abc""#)
    #expect(ValueText.shortened(.text("abcdef"), to: 5) == "\"abc…")
    #expect(ValueText.shortened(.text(String(repeating: "x", count: 500_000))).count == 120)
  }
}
