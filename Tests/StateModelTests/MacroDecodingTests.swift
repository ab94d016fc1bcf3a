import StateModel
import Testing

@Mirrored private struct Evolved {
  var count = 7
  var note: String?
  let id: Int
  @BindingState var list: [Int] = [1]
  @Wire("name", aliases: "title", "caption") var label = "none"
}

@Mirrored private enum Step: Equatable {
  case go(far: Int = 5, to: String)
  case move(zoom: Int, at: Int)
  @Wire("halt", aliases: "stop") case end
  case one(Evolved)
}

/// What the code that `@Mirrored` writes reads, forgives and refuses.
@Suite("Decoding mirrored types")
struct MacroDecodingTests {
  private func read<Root: Mirrored>(_ value: Value) throws -> Root {
    try Root(encoded: value.encoded())
  }

  private func refusal<Root: Mirrored>(_ type: Root.Type, _ value: Value) -> String? {
    do { _ = try Root(encoded: value.encoded()) } catch { return error.description }
    return nil
  }

  private func map(_ entries: (String, Value)...) -> Value {
    .map(Dictionary(uniqueKeysWithValues: entries))
  }

  @Test("A missing field takes its default: the property's value, or nil for an optional")
  func defaults() throws {
    #expect(
      try read(map(("id", 3)))
        == Evolved(count: 7, note: nil, id: 3, list: [1], label: "none"))
  }

  @Test("A field without a default must be there; the message names it")
  func missing() {
    #expect(refusal(Evolved.self, map(("count", 3))) == "id: the field is missing")
    #expect(
      refusal(Step.self, map(("one", map(("count", 3))))) == "one.id: the field is missing")
    #expect(refusal(Step.self, map(("go", map(("far", 3))))) == "go.to: the field is missing")
  }

  @Test("Fields that the type does not have are skipped, wherever they stand")
  func unknown() throws {
    let value = map(
      ("a", 1), ("id", 3), ("zz", [1, 2]), ("count", 9), ("other", map(("x", 1))),
      ("zzzzzzzzz", 1))
    #expect(
      try read(value) == Evolved(count: 9, note: nil, id: 3, list: [1], label: "none"))
  }

  @Test("A field is read under its former names, and written under its present one")
  func aliases() throws {
    for name in ["name", "title", "caption"] {
      let evolved: Evolved = try read(map(("id", 3), (name, "x")))
      #expect(evolved.label == "x")
    }
    let both: Evolved = try read(map(("id", 3), ("name", "new"), ("title", "old")))
    #expect(both.label == "new")
    let step: Step = try read("stop")
    #expect(step == .end)
    #expect(step.encoded() == "halt".encoded())
  }

  @Test("Payloads take their defaults, in whatever order they are declared")
  func payloads() throws {
    #expect(try read(map(("go", map(("to", "x"))))) == Step.go(far: 5, to: "x"))
    #expect(
      try read(map(("move", map(("zoom", 1), ("at", 2), ("new", 3))))) == Step.move(zoom: 1, at: 2))
    #expect(refusal(Step.self, map(("move", map(("zoom", 1))))) == "move.at: the field is missing")
    #expect(
      refusal(Step.self, map(("move", map(("at", 1), ("zoom", "x")))))
        == "move.zoom: expected an integer, found a text")
  }

  @Test("A wrong type is refused by its path, null where none is allowed too")
  func wrongType() {
    #expect(
      refusal(Step.self, map(("one", map(("id", 1), ("list", [1, "x"])))))
        == "one.list.1: expected an integer, found a text")
    #expect(refusal(Evolved.self, map(("id", .null)))?.hasPrefix("id: ") == true)
    #expect(refusal(Evolved.self, map(("id", 1), ("count", .null)))?.hasPrefix("count: ") == true)
    #expect(refusal(Evolved.self, 3) == "expected a map, found an unsigned integer")
  }

  @Test("Cases that are unknown, or of the other form, are refused by name")
  func cases() {
    #expect(refusal(Step.self, "fly") == "there is no case 'fly'")
    #expect(refusal(Step.self, map(("fly", 1))) == "there is no case 'fly'")
    #expect(refusal(Step.self, map(("halt", 1))) == "halt: the case has no payload")
    #expect(refusal(Step.self, "one") == "one: the case's payload is missing")
    #expect(refusal(Step.self, map(("halt", 1), ("one", 1))) == "a case is a map of one entry")
    #expect(refusal(Step.self, 3) == "a case is a text, or a map of one entry")
  }

  @Test("Keys out of order, doubled or no texts are refused, unknown ones too")
  func order() {
    func refusal(_ bytes: [UInt8]) -> String? {
      do { _ = try Evolved(encoded: bytes) } catch { return error.description }
      return nil
    }
    let id: [UInt8] = [0x62, 0x69, 0x64, 0x03]
    let a: [UInt8] = [0x61, 0x61, 0x01]
    let zz: [UInt8] = [0x62, 0x7A, 0x7A, 0x01]
    #expect(refusal([0xA3] + a + id + zz) == nil)
    #expect(refusal([0xA2] + id + a) == "map keys are not in order")
    #expect(refusal([0xA2] + id + id) == "a map key stands twice")
    #expect(refusal([0xA3] + id + zz + zz) == "a map key stands twice")
    #expect(refusal([0xA2, 0x01, 0x01] + id) == "expected a text, found an unsigned integer")
    #expect(refusal([0xA2] + id) == "the bytes end inside an item")
  }
}
