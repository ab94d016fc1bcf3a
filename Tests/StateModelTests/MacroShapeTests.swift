import StateModel
import Testing

/// Every shape of the zoo through everything that `Mirrored` does, on seeded random values.
@Suite("Mirrored shapes")
struct MacroShapeTests {
  static let shapes: [any Shape.Type] = [
    Empty.self, Leaf.self, Properties.self, Constants.self, Box<Leaf>.self,
    Box<Box<Tree>>.self, Pair<String, Leaf>.self, Identifier<NotMirrored>.self,
    Either<Leaf, Tree>.self, Outer<Int>.Inner.self, Space.InExtension.self, Recursive.self,
    Tree.self, Chain.self, Colour.self, Single.self, SinglePlain.self, Action.self,
    PublicState.self, Forty.self,
  ]

  @Test("Keep their laws", arguments: shapes.indices)
  func laws(_ index: Int) throws { try check(Self.shapes[index]) }

  private func check<S: Shape>(_ type: S.Type) throws {
    for seed in 0..<150 as Range<UInt64> {
      var dice = MacroDice(seed: seed)
      let (old, new) = (S.random(&dice), S.random(&dice))
      let why: Comment = "\(type), seed \(seed): \(old) to \(new)"

      let encoded = new.encoded()
      let decoded = try S(encoded: encoded)
      #expect(decoded.isIdentical(to: new) && decoded.encoded() == encoded, why)
      #expect(new.isIdentical(to: old) == (encoded == old.encoded()), why)

      let value = try Value(encoded: encoded)
      #expect(value.encoded() == encoded, why)
      #expect(value.digest == new.digest, why)

      let delta = new.delta(from: old)
      #expect(delta.isEmpty == new.isIdentical(to: old), why)
      var mirror = old
      try mirror.apply(delta)
      #expect(mirror.isIdentical(to: new), why)

      var untyped = try Value(encoded: old.encoded())
      try untyped.apply(delta)
      #expect(untyped.encoded() == encoded, why)
    }
  }

  @Test("Structs take the deltas of values without a type", arguments: 0..<200 as Range<UInt64>)
  func untypedDeltas(seed: UInt64) throws {
    var dice = MacroDice(seed: seed)
    let (old, new) = (Properties.random(&dice), Properties.random(&dice))
    let delta = try Value(encoded: new.encoded()).delta(from: try Value(encoded: old.encoded()))
    var mirror = old
    try mirror.apply(delta)
    #expect(mirror.isIdentical(to: new), "seed \(seed)")
  }

  @Test("A change that does not fit is refused and changes nothing")
  func refused() throws {
    func path(_ names: String...) -> [ArraySlice<UInt8>] { names.map { $0.encoded()[...] } }
    func refusal<Root: Mirrored>(_ root: Root, _ change: Change) -> String? {
      var copy = root
      do { try copy.apply(change, at: 0) } catch { return error.message }
      return nil
    }
    let tree = Tree.node(left: .leaf(1), right: .empty)
    let set = Change.Operation.set(5.encoded()[...])
    #expect(
      refusal(tree, Change(path: path("leaf"), operation: set))
        == "leaf: the value is another case, or one without a payload")
    #expect(
      refusal(tree, Change(path: path("node", "middle"), operation: set))
        == "node.middle: there is no such field")
    #expect(
      refusal(Leaf(), Change(path: path("m"), operation: set)) == "m: there is no such field")
    #expect(
      refusal(Leaf(), Change(path: path(), operation: .remove))
        == "only a field, or the whole, of a struct or an enum can be changed")
    #expect(
      refusal(Leaf(), Change(path: [1.encoded()[...]], operation: set))
        == "1: the path should go on with a name")
    #expect(
      refusal(Leaf(), Change(path: path("text"), operation: set))?.hasPrefix("text: ") == true)
  }

  @Test("A payload of several values can be set as a whole")
  func wholePayload() throws {
    var value = Action.labelled(zeta: [1], id: 2)
    let payload: [UInt8] = Array(Action.labelled(zeta: [3], id: 4).encoded().dropFirst(10))
    try value.apply(
      Change(path: ["labelled".encoded()[...]], operation: .set(payload[...])), at: 0)
    #expect(value == .labelled(zeta: [3], id: 4))
  }

  @Test("A chain of 80 links, each three levels of the wire, comes back; a deeper one is refused")
  func depth() throws {
    var chain = Chain.end([1])
    for n in 0..<80 { chain = .link(n, chain) }
    #expect(try Chain(encoded: chain.encoded()) == chain)
    var next = Chain.end([1, 2])
    for n in 0..<80 { next = .link(n, next) }
    var mirror = chain
    try mirror.apply(next.delta(from: chain))
    #expect(mirror == next)
    for n in 0..<200 { chain = .link(n, chain) }
    #expect(throws: DecodingFailure.self) { try Chain(encoded: chain.encoded()) }
  }
}
