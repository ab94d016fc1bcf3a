import StateModel
import Testing

@Suite("Code that @Mirrored writes")
struct MacroTests {
  @Test("A struct is a map of its fields in the order of their encoded names")
  func structEncoding() throws {
    // {"n": 1, "text": "a"}
    #expect(
      Leaf(n: 1, text: "a").encoded() == [0xA2, 0x61, 0x6E, 0x01, 0x64] + Array("text".utf8)
        + [0x61, 0x61])
    #expect(try Leaf(encoded: Leaf(n: 1, text: "a").encoded()) == Leaf(n: 1, text: "a"))
  }

  @Test("A case is its name, or a map from its name to what it carries")
  func enumEncoding() {
    #expect(Colour.red.encoded() == [0x63] + Array("red".utf8))
    #expect(Tree.leaf(1).encoded() == [0xA1, 0x64] + Array("leaf".utf8) + [0x01])
    #expect(
      Tree.pair(1, label: "").encoded() == [0xA1, 0x64] + Array("pair".utf8)
        + [0xA2, 0x62] + Array("_0".utf8) + [0x01, 0x65] + Array("label".utf8) + [0x60])
  }

  @Test("A delta names only what changed, and brings the old value to the new one")
  func delta() throws {
    let old = Tree.node(left: .leaf(1), right: .pair(2, label: "a"))
    let new = Tree.node(left: .leaf(1), right: .pair(2, label: "b"))
    let changes = try new.delta(from: old).changes()
    #expect(
      changes.map { $0.path.map { String(decoding: $0.dropFirst(), as: UTF8.self) } } == [
        ["node", "right", "pair", "label"]
      ])
    var mirror = old
    try mirror.apply(new.delta(from: old))
    #expect(mirror == new)
  }

  @Test("Only fields marked with @BindingState can be set from outside")
  func bindings() throws {
    #expect(Leaf.bindingFields.map(\.name) == ["text"])
    var leaf = Leaf()
    try Leaf.bindingFields[0].set(&leaf, "set".encoded()[...])
    #expect(leaf.text == "set")
  }

  @Test("Equality that the author wrote is kept, and is not what is mirrored")
  func ownEquality() {
    #expect(OwnEquality(n: 1, ignored: 2) == OwnEquality(n: 1, ignored: 3))
    #expect(!OwnEquality(n: 1, ignored: 2).isIdentical(to: OwnEquality(n: 1, ignored: 3)))
    #expect(OwnOperator(n: 1) == OwnOperator(n: -1))
    #expect(!OwnOperator(n: 1).delta(from: OwnOperator(n: -1)).isEmpty)
  }

  @Test("Constants, computed and static properties are not mirrored, private ones are")
  func whatIsAField() {
    let fields = Schema(of: Hidden.self).types["Hidden"]
    guard case .structure(let fields) = fields else {
      Issue.record("\(String(describing: fields))")
      return
    }
    #expect(fields.map(\.name) == ["secret"])
  }
}
