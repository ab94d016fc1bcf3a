import StateModel
import Testing

@Suite("What does not fit a value")
struct DeltaRefusalTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    var value: any Mirrored
    var change: Value
    var message: String
    var testDescription: String { "\(change) on \(value)" }

    init(_ value: any Mirrored, _ change: Value, _ message: String) {
      self.value = value
      self.change = change
      self.message = message
    }
  }

  static let refusals: [Refusal] = [
    Refusal(1, [0, [0], 1], "Int has no such part to change"),
    Refusal(1, [0, [], "a"], "expected an integer, found a text"),
    Refusal(UInt8(1), [0, [], 256], "256 is not within 0...255"),
    Refusal([1, 2], [0, [2], 5], "2: no such element in an array of 2"),
    Refusal([1, 2], [0, [-1], 5], "-1: no such element in an array of 2"),
    Refusal([1, 2], [0, ["a"], 5], "a: no such element in an array of 2"),
    Refusal([1, 2], [0, [1], "b"], "1: expected an integer, found a text"),
    Refusal([1, 2], [1, [0]], "0: elements are removed by splices"),
    Refusal([1, 2], [2, [], 3, 0, []], "elements 3..<3 are not within an array of 2"),
    Refusal([1, 2], [2, [], 1, 2, []], "elements 1..<3 are not within an array of 2"),
    Refusal(
      [1, 2], [2, [], 0, 0, [1, true]], "1: expected an integer, found a boolean"),
    Refusal([1, 2], [3, [], 0, 2], "a move from 0 to 2 in an array of 2"),
    Refusal([1, 2], [4, [], 0, 0, ""], "an array has no such part to change"),
    Refusal([[1]], [0, [0, 3], 5], "0.3: no such element in an array of 1"),
    Refusal(["a": 1], [1, ["b"]], "b: no such entry to remove"),
    Refusal(["a": [1]], [0, ["b", 0], 1], "b: no such entry to change"),
    Refusal(
      ["a": 1], [0, [5], 1], "5: no key of this map: expected a text, found an unsigned integer"),
    Refusal(["a": 1], [2, [], 0, 0, []], "a map has no such part to change"),
    Refusal(
      ["é": 1], [0, ["e\u{301}"], 1],
      "e\u{301}: the key equals another one in Swift, though their bytes differ"),
    Refusal(SortedDictionary([("a", 1)]), [1, ["b"]], "b: no such entry to remove"),
    Refusal(SortedDictionary([("a", [1])]), [0, ["b", 0], 1], "b: no such entry to change"),
    Refusal("abc", [4, [], 2, 2, ""], "2 bytes from 2 on are not within a text of 3 bytes"),
    Refusal("aéb", [4, [], 2, 1, ""], "byte 2 of the text lies inside a character"),
    Refusal("aéb", [4, [], 1, 1, ""], "byte 2 of the text lies inside a character"),
    Refusal(EditableText("aéb"), [4, [], 2, 0, "x"], "byte 2 of the text lies inside a character"),
    Refusal(Set([1, 2]), [2, [], 0, 0, [5]], "1: the members of a set are not in order"),
    Refusal(Set([1, 2]), [2, [], 1, 2, []], "members 1..<3 are not within a set of 2"),
    Refusal(Int?.none, [0, [0], 1], "there is no value to change"),
    Refusal(Int??.some(1), [0, [1], 1], "a wrapped optional has element 0 only"),
    Refusal(
      IdentifiedArray([Todo(id: 1), Todo(id: 2)]), [0, [0, "id"], 2],
      "two elements have the same id"),
    Refusal(
      IdentifiedArray([Todo(id: 1), Todo(id: 2)]), [2, [], 0, 1, [Value(of: Todo(id: 2))]],
      "two elements have the same id"),
    Refusal(["a": .null] as Value, [1, ["b"]], "b: no such entry to remove"),
    Refusal(["a": .null] as Value, [0, ["a", 0], 1], "a: this value has no parts to change"),
    Refusal([1] as Value, [2, [], 1, 1, []], "elements 1..<2 are not within an array of 1"),
    Refusal(1, [5, []], "no change has kind 5 and 2 elements"),
    Refusal(1, [0, []], "no change has kind 0 and 2 elements"),
    Refusal([1], [2, [], 5_000_000_000, 0, []], "5000000000 is no position"),
    Refusal(1, 7, "expected an array, found an unsigned integer"),
  ]

  @Test("A path that begins as the last one's did is read by itself, wherever the bytes end")
  func repeatedPaths() throws {
    let paths: [Value] = [
      ["a", "b"], ["a", "c"], ["ab", "c"], ["a", "b"], [["a"], "b"], [["a"], ["b"]],
      [["a", "b"], "b"], [7, 24], [7, 25], [7, 250], [["a": 1], 24], [["a": 1], 24], [["a": 2], 2],
    ]
    let changes = paths.map { [0, $0, true] as Value }
    let bytes = changes.encoded()
    let read = try Delta(bytes: bytes).changes().map { change in
      Value(of: try change.path.map { try Value(encoded: $0) })
    }
    #expect(read == paths)
    for count in bytes.indices {
      #expect(throws: DeltaFailure.self) { try Delta(bytes: Array(bytes[..<count])).changes() }
    }
  }

  @Test("It is refused as a whole, and says where and why", arguments: refusals)
  func refusal(_ refusal: Refusal) { check(refusal.value, refusal) }

  private func check<Typed: Mirrored>(_ value: Typed, _ refusal: Refusal) {
    // A change that fits comes first where there is one: it must not stay.
    var mirror = value
    let same: Value = [0, [], Value(of: value)]
    let delta = Delta(bytes: ([same, refusal.change] as Value).encoded())
    do throws(DeltaFailure) {
      try mirror.apply(delta)
      Issue.record("applied: \(mirror)")
    } catch {
      #expect(error.message == refusal.message)
    }
    #expect(mirror.isIdentical(to: value))
  }

  @Test("Nothing of a delta stays when its last change does not fit")
  func allOrNone() throws {
    var todos: IdentifiedArray = [Todo(id: 1, title: "a"), Todo(id: 2, title: "b")]
    let before = todos
    let delta: Value = [
      [0, [0, "title"], "x"], [3, [], 0, 1], [2, [], 0, 1, []], [0, [7, "title"], ""],
    ]
    #expect(throws: DeltaFailure.self) { try todos.apply(Delta(bytes: delta.encoded())) }
    #expect(todos == before)
    #expect(todos.index(id: 1) == 0)
    #expect(todos.digest == before.digest)
  }
}
