import StateModel
import Testing

@Suite("Collections with digests")
struct CollectionTests {
  @Test("A sorted dictionary is ordered by encoding and tells composed from decomposed keys")
  func sortedDictionary() {
    var names: SortedDictionary<String, Int> = ["bb": 1, "c": 2, "a": 3]
    #expect(names.keys == ["a", "c", "bb"])
    names["é"] = 4
    names["e\u{301}"] = 5
    #expect(names.count == 5)
    #expect(names["é"] == 4 && names["e\u{301}"] == 5)
    names["é"]? += 10
    names["c"] = nil
    #expect(names.values == [3, 1, 14, 5])
    #expect(names.removeValue(forKey: "none") == nil)
    #expect(
      names.update("a") {
        $0 += 1
        return $0
      } == 4)
    #expect(names.map(\.value).reversed() == names.reversed().map(\.value))
  }

  @Test("A sorted dictionary agrees with a dictionary over ten thousand random changes")
  func sortedDictionaryModel() throws {
    var source = SeededGenerator(seed: 7)
    var sorted = SortedDictionary<Int, Int>()
    var model: [Int: Int] = [:]
    var copies: [(SortedDictionary<Int, Int>, Digest)] = []
    for step in 0..<10_000 {
      let key = Int.random(in: 0..<2_000, using: &source)
      if source.once(in: 3) {
        #expect(sorted.removeValue(forKey: key) == model.removeValue(forKey: key))
      } else {
        sorted[key] = step
        model[key] = step
      }
      if step.isMultiple(of: 1_000) { copies.append((sorted, sorted.digest)) }
    }
    #expect(sorted.count == model.count)
    #expect(sorted.encoded() == model.encoded())
    #expect(sorted.digest == model.digest)
    #expect(
      sorted.keys == sorted.keys.sorted { $0.encoded().lexicographicallyPrecedes($1.encoded()) })
    for (copy, digest) in copies {
      #expect(copy.digest == digest)
      #expect(try SortedDictionary<Int, Int>(encoded: copy.encoded()).digest == digest)
      var mirror = copy
      try mirror.apply(sorted.delta(from: copy))
      #expect(mirror.isIdentical(to: sorted))
    }
  }

  @Test(
    "What arrays do with several elements at once identified arrays do, on a tree or off it",
    arguments: [3, 33, 400])
  func several(count: Int) {
    let all = (0..<count).map { Todo(id: $0, title: "\($0 % 2)") }
    var todos = IdentifiedArrayOf<Todo>()
    todos.append(contentsOf: all)
    todos.append(contentsOf: [Todo(id: 0, title: "again")])
    #expect(todos.elements == all)
    let odd: IdentifiedArrayOf<Todo> = todos.filter { $0.title == "1" }
    #expect(odd.elements == all.filter { $0.title == "1" })
    #expect(odd[id: 1]?.title == "1" && odd[id: 0] == nil)
    todos.reverse()
    #expect(todos.elements == all.reversed())
    #expect(todos[id: 1] == all[1])
    #expect(todos.remove(all[1]) == all[1])
    #expect(todos.remove(all[1]) == nil)
    #expect(todos.count == count - 1)
    todos.removeAll()
    #expect(todos.isEmpty && todos.digest == IdentifiedArrayOf<Todo>().digest)
  }

  @Test("An identified array finds, adds, moves and removes by id")
  func identifiedArray() {
    var todos: IdentifiedArray = [Todo(id: 1, title: "a"), Todo(id: 2, title: "b")]
    #expect(todos.append(Todo(id: 1, title: "again")).inserted == false)
    #expect(todos[id: 1]?.title == "a")
    todos[id: 2]?.title = "B"
    todos[id: 3] = Todo(id: 3)
    todos.insert(Todo(id: 4), at: 0)
    #expect(todos.ids == [4, 1, 2, 3])
    todos.move(from: 0, to: 3)
    #expect(todos.ids == [1, 2, 3, 4])
    todos[id: 2] = nil
    todos[0].title = "first"
    #expect(todos.ids == [1, 3, 4])
    #expect(todos.index(id: 4) == 2)
    #expect(todos.updateOrAppend(Todo(id: 3, title: "c"))?.title == "")
    #expect(todos.remove(id: 1)?.title == "first")
    #expect(todos.contains(id: 1) == false)
    todos.removeAll { $0.id == 4 }
    todos[0] = Todo(id: 9)
    #expect(todos.index(id: 9) == 0 && todos.index(id: 3) == nil)
    todos.append(Todo(id: 5))
    todos.sort { $0.id < $1.id }
    #expect(todos.ids == [5, 9])
    #expect(todos.ids.map { todos.index(id: $0) } == [0, 1])
  }

  @Test("Changing an element by its id keeps every other element where it is")
  func identifiedArrayInPlace() {
    for removed in 0..<5 {
      var todos = IdentifiedArray((0..<5).map { Todo(id: $0) })
      todos[id: removed]?.title = "changed"
      #expect(todos.ids == [0, 1, 2, 3, 4])
      todos[id: removed] = nil
      #expect(todos.ids == (0..<5).filter { $0 != removed })
      #expect(todos.ids.map { todos.index(id: $0) } == [0, 1, 2, 3])
    }
  }

  @Test("A delta of identified elements moves as few as there can be")
  func moves() throws {
    func change(_ old: [Int], _ new: [Int]) throws -> Value {
      let old = IdentifiedArray(old.map { Todo(id: $0) })
      let new = IdentifiedArray(new.map { Todo(id: $0) })
      let delta = new.delta(from: old)
      var mirror = old
      try mirror.apply(delta)
      #expect(mirror.isIdentical(to: new))
      return try Value(encoded: delta.bytes)
    }
    #expect(try change([1, 2, 3, 4], [2, 3, 4, 1]) == [[3, [], 0, 3]])
    #expect(try change([1, 2, 3, 4], [4, 1, 2, 3]) == [[3, [], 3, 0]])
    #expect(try change([1, 2, 3, 4], [1, 4]) == [[2, [], 1, 2, []]])
    #expect(try change(Array(0..<10_000), Array(1..<10_000)) == [[2, [], 0, 1, []]])
    #expect(
      try change(Array(0..<1_000), (0..<1_000).filter { $0 % 300 != 7 })
        == [[2, [], 907, 1, []], [2, [], 607, 1, []], [2, [], 307, 1, []], [2, [], 7, 1, []]])
  }

  @Test("Random orders of random elements are reached")
  func orders() throws {
    for seed in 0..<300 as Range<UInt64> {
      var source = SeededGenerator(seed: seed)
      let all = (0..<30).map { Todo(id: $0, isDone: true) }
      let old = IdentifiedArray(
        all.shuffled(using: &source).prefix(Int.random(in: 0...30, using: &source)))
      let new = IdentifiedArray(
        all.shuffled(using: &source).prefix(Int.random(in: 0...30, using: &source)))
      var mirror = old
      try mirror.apply(new.delta(from: old))
      #expect(mirror.ids == new.ids, "seed \(seed)")
      #expect(mirror.ids.map { mirror.index(id: $0) } == Array(new.indices), "seed \(seed)")
    }
  }

  @Test("A text keeps its sum through edits across the border between short and long")
  func editableText() throws {
    var source = SeededGenerator(seed: 3)
    var text = EditableText(String(repeating: "0123456789", count: 409))
    var model = text.string
    for step in 0..<400 {
      let offset = Int.random(in: 0...model.utf8.count, using: &source)
      let removed = Int.random(in: 0...min(40, model.utf8.count - offset), using: &source)
      let inserted = String(repeating: "x", count: Int.random(in: 0..<41, using: &source))
      try text.splice(offset: offset, removed: removed, inserted: inserted)
      let start = model.utf8.index(model.startIndex, offsetBy: offset)
      model.replaceSubrange(start..<model.utf8.index(start, offsetBy: removed), with: inserted)
      #expect(text.digest == model.digest, "step \(step)")
      #expect(text.utf8Count == model.utf8.count)
    }
    #expect(text.string == model)
    text.append("é")
    #expect(text.string == model + "é")
    #expect(text.utf8.count == text.utf8Count)
  }

  @Test("A text refuses an edit that leaves it or cuts a character, and stays as it was")
  func textRefusals() {
    var text: EditableText = "aéb"
    for (offset, removed) in [(5, 0), (0, 5), (2, 0), (0, 2), (-1, 0), (0, -1), (1, .max)] {
      #expect(throws: DeltaFailure.self) {
        try text.splice(offset: offset, removed: removed, inserted: "")
      }
    }
    #expect(text == "aéb" && text != "ae\u{301}b")
  }
}
