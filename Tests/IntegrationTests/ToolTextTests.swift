import Composable
import FoundationEssentials
import StateModel
import Testing

@testable import statecast

@Suite("statecast: what is typed")
struct ToolTextTests {
  private static let known: [String: Arguments.Kind] = ["folder": .value, "json": .flag]

  @Test("A question shows who may answer it, and what is the answer when nobody does")
  func terms() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    var alert = AlertState<Int>(
      title: "Sure?", buttons: [.default("Yes", action: .send(1)), .cancel("No")])
    #expect(
      ShownAlert.first(in: Value(of: alert))?.lines == [
        "== Sure?", "   1) Yes", "   2) No", "   0) dismiss",
      ])
    alert = alert.answered(by: .client(7)).answered(at: date, with: 1)
    #expect(
      ShownAlert.first(in: Value(of: alert))?.lines == [
        "== Sure?", "   (only client 7 may answer)",
        "   (answered by itself with 2 at 2001-01-01T00:00:00Z)", "   1) Yes", "   2) No",
        "   0) dismiss",
      ])
    alert = alert.answered(by: .admin).answered(at: date, with: nil)
    #expect(
      ShownAlert.first(in: Value(of: alert))?.terms == [
        "only an admin may answer", "answered by itself with 0 at 2001-01-01T00:00:00Z",
      ])
  }

  @Test(
    "A deadline that is no date is shown as such, and breaks nothing",
    arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e12])
  func oddDeadlines(seconds: Double) {
    let alert = AlertState<Int>(title: "Sure?", buttons: [.cancel("No")])
      .answered(at: Date(timeIntervalSinceReferenceDate: seconds), with: 0)
    #expect(
      ShownAlert.first(in: Value(of: alert))?.terms == [
        "answered by itself with 1 at a date beyond the calendar"
      ])
    #expect(!ValueText.shortened(Value(of: alert)).isEmpty)
    #expect(!ValueText.shortened(Value(of: Date(timeIntervalSince1970: seconds))).isEmpty)
  }

  @Test("What others have written moves no cursor and forges no line")
  func controls() {
    let title = "\u{1B}]0;mine\u{7}\u{9B}2J\rSure?\n-- done (commit 5)\t\u{7F}é😀"
    #expect(
      TerminalText.safe(title, keepsLines: false)
        == "\\u{1b}]0;mine\\u{7}\\u{9b}2J\\u{d}Sure?\\u{a}-- done (commit 5)\t\\u{7f}é😀")
    #expect(TerminalText.safe("a\nb\r\n", keepsLines: true) == "a\nb\\u{d}\n")
    #expect(TerminalText.safe("no\u{202E}sey", keepsLines: false) == "no\\u{202e}sey")
    // Also where it is no terminal's: scripts read lines.
    let session: Value = .map([
      "attached": .bool(true), "name": .text("evil\n  client 99         root\u{1B}[31m"),
      "present": .bool(true), "public": .unsigned(7), "views": .unsigned(0),
    ])
    let lines = StatusText.lines(figures: .map([:]), sessions: .array([session]), own: nil)
    #expect(lines.count == 2)
    #expect(
      lines.last
        == "  client 7          evil\\u{a}  client 99         root\\u{1b}[31m, 0 views, present")
    #expect(
      AttendanceText.line(session) == "client 7  evil\\u{a}  client 99         root\\u{1b}[31m")
    #expect(TerminalText.quoted(String(repeating: "x", count: 100_000)).count == 201)
  }

  @Test("Options stand anywhere, with = or a space; -- ends them; -5 is a word")
  func arguments() throws {
    let line = ["get", "--folder=/a=b", "x", "--json", "-5", "--", "--folder"]
    let arguments = try Arguments(line, known: Self.known)
    #expect(arguments.words == ["get", "x", "-5", "--folder"])
    #expect(arguments.options == ["folder": "/a=b"])
    #expect(arguments.flags == ["json"])
    #expect(try Arguments(["--folder", "--x"], known: Self.known).options["folder"] == "--x")
    #expect(try Arguments(["--folder=--json"], known: Self.known).options["folder"] == "--json")
    #expect(try Arguments(["--folder="], known: Self.known).options["folder"] == "")
  }

  @Test(
    "A word that is nearly another is asked about",
    arguments: [
      ("sned", "; did you mean send?"), ("set", "; did you mean set?"),
      ("up2", "; did you mean up?"),
      ("", ""), ("frobnicate", ""), ("stat", "; did you mean status?"), ("-v", ""), ("run", ""),
      ("se", "; did you mean set?"), ("att", "; did you mean attach?"), ("s", ""),
    ])
  func near(word: String, question: String) {
    #expect(Arguments.near(word, ["send", "set", "attach", "status", "up"]) == question)
  }

  @Test(
    "A case or a field without what it belongs to is found, where there is one of it",
    arguments: [
      ("step", "; did you mean counter.step?"), ("started", ""), ("incrementButtonTapped", ""),
      ("counter.stpe", "; did you mean counter.step?"),
    ])
  func ends(word: String, question: String) {
    let names = ["counter.step", "counter.started", "refresh.started", "settings.theme"]
    #expect(Arguments.near(word, names) == question)
  }

  @Test("A word that begins with a letter behind - is an option that there is not")
  func shortOptions() throws {
    let failure = #expect(throws: ToolFailure.self) {
      try Arguments(["get", "-v"], known: Self.known)
    }
    #expect(
      failure?.message == "there is no option -v; a word that begins with - goes behind --")
    #expect(try Arguments(["a", "-", "-5"], known: Self.known).words == ["a", "-", "-5"])
    #expect(try Arguments(["a", "--", "-v"], known: Self.known).words == ["a", "-v"])
  }

  @Test(
    "An action in short is the same as in JSON",
    arguments: [
      ("a", nil, #""a""#), ("a.b.c", nil, #"{"a": {"b": "c"}}"#),
      ("a.b", "5", #"{"a": {"b": 5}}"#), ("a", "null", #"{"a": null}"#),
      ("a.b", "/some/path", #"{"a": {"b": "/some/path"}}"#),
      (#"{"a": 1}"#, nil, #"{"a": 1}"#), (#""x""#, nil, #""x""#),
    ] as [(String, String?, String)])
  func actions(text: String, payload: String?, json: String) throws {
    #expect(
      try ActionText.parse(text, payload: payload).isIdentical(to: try ActionText.json(json)))
  }

  @Mirrored struct Sample {
    var ratio: Double
    var ratios: [Double]
    var maybe: Float?
    var kinds: [String: Kind]
  }

  @Mirrored enum Kind {
    case plain
    case weight(Double)
    case pair(low: Double, name: String)
    case next(Sample)
  }

  @Test("A whole number becomes a float wherever the daemon expects one, and nowhere else")
  func fitting() throws {
    let guide = SchemaGuide(schema: Schema(of: Kind.self))
    let typed = try ActionText.json(
      """
      {"next": {"ratio": 1, "ratios": [2, -3], "maybe": null, "extra": 5, "kinds": {
        "a": "plain", "b": {"weight": 4}, "c": {"pair": {"low": 5, "name": "5"}}}}}
      """)
    let fitted = guide.fit(typed, to: guide.schema.root)
    let expected = try ActionText.json(
      """
      {"next": {"ratio": 1.0, "ratios": [2.0, -3.0], "maybe": null, "extra": 5, "kinds": {
        "a": "plain", "b": {"weight": 4.0}, "c": {"pair": {"low": 5.0, "name": "5"}}}}}
      """)
    #expect(fitted.isIdentical(to: expected))
    #expect(!fitted.isIdentical(to: typed))
  }

  @Mirrored enum Chore {
    case done(UUID)
    case renamed(String)
    case counted(Int)
  }

  @Test("What a case takes tells what a word is: an id that begins with a digit, a text of digits")
  func payloads() throws {
    let guide = SchemaGuide(schema: Schema(of: Chore.self))
    func sent(_ name: String, _ payload: String) throws -> Value {
      guide.fit(try guide.action(name, payload: payload), to: guide.schema.root)
    }
    let id = "3f2a0b1c-0000-4000-8000-00000000002a"
    #expect(try sent("done", id) == Value(of: Chore.done(#require(UUID(uuidString: id)))))
    #expect(try sent("renamed", "7 of 9") == ["renamed": "7 of 9"])
    #expect(try sent("counted", "7") == ["counted": 7])
  }

  @Test("The help at an attached terminal is in the words of the app")
  func help() {
    let guide = SchemaGuide(schema: Schema(of: Chore.self))
    #expect(
      AttachRoom.help(guide).prefix(2) == [
        "An action (done), with a payload if it takes one;",
        "FIELD = VALUE sets a field; a number answers an alert; Ctrl-D leaves.",
      ])
  }

  @Test("Every action that can be sent has a name; a binding is set, not sent")
  func names() {
    let guide = SchemaGuide(schema: Schema(of: Kind.self))
    #expect(guide.actionNames == ["next", "pair", "plain", "weight"])
  }
}
