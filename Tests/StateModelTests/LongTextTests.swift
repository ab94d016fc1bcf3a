import StateModel
import Testing

/// Texts that are long enough to stand on shared nodes, held against plain strings.
@Suite("Long texts on shared nodes")
struct LongTextTests {
  @Test(
    "A long text agrees with a plain string through random edits", arguments: [1, 2, 3, 4, 5, 6])
  func texts(seed: UInt64) throws {
    var source = SeededGenerator(seed: seed)
    // Of one letter, where all places are alike, or of many, with characters of several bytes.
    let letters = seed.isMultiple(of: 2) ? ["a"] : ["a", "b", "é", "水", "👍", "\n"]
    func string(_ count: Int) -> String {
      (0..<count).map { _ in letters.randomElement(using: &source) ?? "" }.joined()
    }
    var model = string(Int(seed) * 3_000)
    var text = EditableText(model)
    var versions = [(model, text)]
    for step in 0..<150 {
      let hint: Comment = "seed \(seed), step \(step)"
      let scalars = model.unicodeScalars
      let start = scalars.index(
        scalars.startIndex, offsetBy: Int.random(in: 0...scalars.count, using: &source))
      let most = source.once(in: 15) ? 3_000 : 12
      let end =
        scalars.index(
          start, offsetBy: Int.random(in: 0..<most, using: &source), limitedBy: scalars.endIndex)
        ?? scalars.endIndex
      let inserted = string(Int.random(in: 0..<most, using: &source))
      try text.splice(
        offset: model.utf8.distance(from: model.startIndex, to: start),
        removed: model.utf8.distance(from: start, to: end), inserted: inserted)
      model.replaceSubrange(start..<end, with: inserted)
      #expect(text.digest == model.digest && text.utf8Count == model.utf8.count, hint)
      guard step.isMultiple(of: 5) else { continue }
      #expect(text.string == model && text.encoded() == model.encoded(), hint)
      let (oldModel, old) = versions[Int.random(in: 0..<versions.count, using: &source)]
      #expect((text == old) == model.isIdentical(to: oldModel), hint)
      let expected = model.delta(from: oldModel)
      for (old, new) in [
        (old, text), (EditableText(oldModel), text), (old, EditableText(model)),
      ] {
        #expect(new.delta(from: old) == expected, hint)
        var mirror = old
        try mirror.apply(expected)
        #expect(mirror == text && mirror.digest == model.digest, hint)
      }
      versions.append((model, text))
    }
  }

  @Test("A long text refuses an edit that cuts a character, wherever blocks meet")
  func cutCharacters() {
    let text = EditableText(String(repeating: "é", count: 4_000))
    for offset in stride(from: 1, to: 8_000, by: 2) {
      var copy = text
      #expect(throws: DeltaFailure.self) {
        try copy.splice(offset: offset, removed: 0, inserted: "x")
      }
    }
  }
}
