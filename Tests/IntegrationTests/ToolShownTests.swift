import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing
import ZeroMQ

@testable import statecast

@Suite("statecast: what people are shown")
struct ToolShownTests {
  @Mirrored enum Theme { case system, light, dark }

  @Mirrored struct Draft {
    var title: String
    var due: Date?
    var theme: Theme
  }

  @Mirrored enum Sent {
    case reset
    case add(title: String)
    case remove(Int)
    case replace([Draft])
    case theme(Theme)
  }

  @Test("The schema says what each action takes")
  func schema() {
    #expect(
      SchemaGuide(schema: Schema(of: Sent.self)).lines == [
        "send add {\"title\": text}", "send reset", "send theme.dark", "send theme.light",
        "send theme.system", "send remove number",
        "send replace [{\"due\": Date|null, \"theme\": dark|light|system, \"title\": text}, …]",
      ])
  }

  @Test(
    "A line at the terminal: a field is set with spaces or without, and quit leaves",
    arguments: [
      ("settings.volume=7", .set(field: "settings.volume", text: "7")),
      ("settings.volume  =  8 ", .set(field: "settings.volume", text: "8")),
      ("a.b = c = d", .set(field: "a.b", text: "c = d")), ("a =", .set(field: "a", text: "")),
      (#"a.b {"c": "d=e"}"#, .action("a.b", payload: #"{"c": "d=e"}"#)),
      ("a.b c=d", .action("a.b", payload: "c=d")), ("a.b", .action("a.b", payload: nil)),
      ("2", .answer(2)), ("?", .help), ("help", .help), ("quit", .leave), ("exit ", .leave),
      ("", .nothing), ("  ", .nothing),
    ] as [(String, AttachLine)])
  func lines(typed: String, line: AttachLine) {
    #expect(AttachLine(typed) == line)
  }

  @Test(
    "A line at the terminal may be what a shell takes",
    arguments: [
      ("send counter.up", .action("counter.up", payload: nil)),
      (#"send a.b '{"c": 1}'"#, .action("a.b", payload: #"{"c": 1}"#)),
      (#"send '{"a":"b"}'"#, .action(#"{"a":"b"}"#, payload: nil)),
      ("set counter.step 5", .set(field: "counter.step", text: "5")),
      ("set counter.step = 5", .set(field: "counter.step", text: "5")),
      ("set name 'Ada Lovelace'", .set(field: "name", text: "Ada Lovelace")),
      ("answer 2", .answer(2)), ("answer two", .shell("answer")), ("send", .shell("send")),
      ("set counter.step", .shell("set")), ("get counter", .shell("get")),
      ("status", .shell("status")),
    ] as [(String, AttachLine)])
  func shellLines(typed: String, line: AttachLine) {
    #expect(AttachLine(typed, actions: ["counter.up"]) == line)
  }

  @Test(
    "An action of the app's own goes before a word of the tool",
    arguments: [
      ("send", .action("send", payload: nil)), ("set 5", .action("set", payload: "5")),
      ("status.ask", .action("status.ask", payload: nil)), ("stop", .action("stop", payload: nil)),
    ] as [(String, AttachLine)])
  func ownActions(typed: String, line: AttachLine) {
    #expect(AttachLine(typed, actions: ["send", "set.count", "status.ask", "stop"]) == line)
  }

  @Test("A refused action is told what it takes, or what there is below it")
  func refused() {
    let guide = SchemaGuide(schema: Schema(of: Sent.self))
    let invalid = ActionFailure(code: .invalid, message: "no", isCertain: true)
    func advice(_ subject: SchemaGuide.Subject) -> String {
      ToolFailure(invalid, about: subject, guide).advice
    }
    #expect(advice(.action("add")) == "It takes: send add {\"title\": text}")
    #expect(advice(.action("theme")) == "There are theme.dark, theme.light, theme.system.")
    #expect(advice(.action("{}")) == "`statecast schema` shows what can be sent.")
    let unknown = ActionFailure(code: .unknownAction, message: "no", isCertain: true)
    #expect(
      ToolFailure(unknown, about: .action("light"), guide).message
        == "the action was not applied: unknown-action: no; did you mean theme.light?")
    let rejected = ActionFailure(code: .rejected, message: "no", isCertain: true)
    #expect(
      ToolFailure(rejected, about: .action("add"), guide).advice
        == "Look at the state (`statecast get`), and send what fits it.")
  }

  @Test("A question's button that there is not is named, with those that there are")
  func noButton() throws {
    let alert = try #require(
      ShownAlert.first(
        in: .tag(
          60002,
          .map([
            "id": .unsigned(1), "title": .text("Count?"),
            "buttons": .array([.map(["label": .text("Yes")]), .map(["label": .text("No")])]),
          ]))))
    #expect(
      alert.noButton(9)
        == ToolFailure(
          .usage, "\"Count?\" has no button 9", advice: "Answer with 1 to 2, or 0 to dismiss."))
  }

  @Test("Alerts and dates are readable, other values stay as they are")
  func readable() throws {
    let buttons: Value = .array([
      .map(["label": .text("Cancel")]), .map(["label": .text("Increment")]),
    ])
    let alert: Value = .tag(
      60002, .map(["id": .unsigned(1), "title": .text("Count?"), "buttons": buttons]))
    let value: Value = .map(["alert": alert, "at": .tag(1, .float(0)), "n": .array([.unsigned(1)])])
    #expect(
      ValueText.compact(ValueText.readable(value))
        == #"{"n":[1],"at":"1970-01-01T00:00:00Z","alert":"alert: Count? [1 Cancel, 2 Increment]"}"#
    )
    let id: Value = .tag(37, .bytes([0, 17] + [UInt8](repeating: 0xAB, count: 14)))
    #expect(ValueText.compact(ValueText.readable(id)) == #""0011abab-abab-abab-abab-abababababab""#)
    #expect(ValueText.readable(.tag(32, .text("http://a/"))).string == "http://a/")
    let bytes: Value = .tag(37, .bytes([1]))
    #expect(ValueText.readable(bytes).isIdentical(to: bytes))
    let endless: Value = .tag(1, .float(.infinity))
    #expect(ValueText.readable(endless).isIdentical(to: endless))
  }

  @Test("The status lists who is attached, and no session that has ended")
  func status() {
    func session(_ number: UInt64, _ name: String, attached: Bool) -> Value {
      .map([
        "public": .unsigned(number), "name": .text(name), "views": .unsigned(2),
        "attached": .bool(attached), "present": .bool(true), "away": .bool(false),
        "handles": .array([.text("door")]), "behind": number == 4 ? 12 : .null,
      ])
    }
    #expect(
      StatusText.lines(
        figures: .map([
          "commit": .unsigned(7), "sessions": .unsigned(4), "requests": .unsigned(12),
        ]),
        sessions: .array([
          session(3, "Ada", attached: true), session(4, "", attached: true),
          session(5, "gone", attached: false), session(6, "", attached: true),
        ]), own: 6) == [
          "commit              7", "requests            12, with those of this command",
          "sessions            3", "attached            2 beside this command (client 6)",
          "  client 3          Ada, 2 views, present, offers door",
          "  client 4          no name, 2 views, present, 12 commits behind, offers door",
        ])
  }

  @Test("Attached to all views, a person is told which are not among them")
  func notShown() {
    let guide = SchemaGuide(schema: Schema(of: Theme.self))
    var schema = DaemonSchema(
      action: guide, state: guide,
      views: ["a": (guide, nil), "z": (guide, guide), "b": (guide, guide)])
    #expect(
      AttachRoom.notShown(schema)
        == "Not shown: b, z, which take parameters. `statecast attach b` shows one without any.")
    schema.views = ["a": (guide, nil)]
    #expect(AttachRoom.notShown(schema) == nil)
  }

  @Test("-h is help wherever help is; behind -- it is a word")
  func help() throws {
    let known = StatecastTool.options
    #expect(try Arguments(["get", "-h"], known: known).flags == ["help"])
    #expect(try Arguments(["set", "--", "-h"], known: known).words == ["set", "-h"])
    #expect(
      Command.watch.help.hasPrefix(
        "Usage: statecast watch VIEW [PARAMETERS] [OPTIONS]\n\nwatch: print a view's value"))
    #expect(Command.watch.help.contains("\n  {\"stale\": REASON}, {\"fresh\": N} "))
    #expect(Command.set.help.contains("what a JSON object leaves out gets its default."))
    #expect(StatecastTool.help.contains("-h, --help, --version"))
  }

  @Test("A set whose outcome is unknown is told in one sentence with one full stop")
  func refusedSet() {
    let closed = ActionFailure(
      code: .expired, message: "The client was closed. Look at the state.", isCertain: false)
    #expect(
      RefusedSet(field: "note", failure: closed).description
        == "It is not known whether note was set: The client was closed. Look at the state")
    let invalid = ActionFailure(code: .invalid, message: "out of range", isCertain: true)
    #expect(
      RefusedSet(field: "note", failure: invalid).description
        == "note was not set: invalid: out of range")
  }

  @Test("A relative folder is refused, as the daemon refuses it")
  func relativeFolder() throws {
    let arguments = try Arguments(["get", "x", "--folder", "rel"], known: StatecastTool.options)
    #expect(throws: ToolFailure.usage("--folder takes an absolute path, not rel")) {
      try Session(arguments: arguments, output: Output()).checkFolder()
    }
  }
}
