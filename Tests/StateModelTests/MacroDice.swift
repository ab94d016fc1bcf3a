import StateModel

/// Makes random values of the macro zoo's shapes from a seed, so that a failure can be repeated.
struct MacroDice: RandomNumberGenerator {
  private var generator: SeededGenerator
  /// How much deeper the values may nest.
  var fuel = 4

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func flip() -> Bool { next() & 1 == 0 }
  mutating func number() -> Int { Int.random(in: -2...2, using: &self) }
  mutating func text() -> String {
    ["", "a", "b", "e\u{301}", "\u{e9}", "a longer text than the others"][Int(next() % 6)]
  }
  mutating func list<Element>(_ make: (inout MacroDice) -> Element) -> [Element] {
    fuel -= 1
    defer { fuel += 1 }
    return (0..<(fuel > 0 ? Int(next() % 4) : 0)).map { _ in make(&self) }
  }
  mutating func map<Element>(_ make: (inout MacroDice) -> Element) -> [String: Element] {
    var map: [String: Element] = [:]
    for (index, element) in list(make).enumerated() { map["key \(index)"] = element }
    return map
  }
}

/// A shape that the dice can make.
protocol Shape: Mirrored {
  static func random(_ dice: inout MacroDice) -> Self
}

extension Empty: Shape {
  static func random(_ dice: inout MacroDice) -> Empty { Empty() }
}

extension Leaf: Shape {
  static func random(_ dice: inout MacroDice) -> Leaf { Leaf(n: dice.number(), text: dice.text()) }
}

extension Properties: Shape {
  static func random(_ dice: inout MacroDice) -> Properties {
    var value = Properties(
      annotated: dice.number(), constant: dice.text(),
      optionalConstant: dice.flip() ? dice.number() : nil,
      boundWithoutValue: dice.list { $0.number() })
    value.inferred = dice.number()
    value.first = dice.text()
    value.optional = dice.flip() ? nil : dice.number()
    value.nested = dice.map { $0.list(Leaf.random) }
    value.settable = dice.number()
    value.default = dice.flip()
    value.bound = Double(dice.number()) / 3
    value.boundOptional = dice.flip() ? nil : dice.flip()
    value.name = dice.text()
    return value
  }
}

extension Constants: Shape {
  static func random(_ dice: inout MacroDice) -> Constants {
    Constants(id: dice.number(), items: dice.list(Leaf.random), note: dice.text())
  }
}

extension Box: Shape where Item: Shape {
  static func random(_ dice: inout MacroDice) -> Box {
    Box(item: .random(&dice), others: dice.list(Item.random))
  }
}

extension Pair: Shape where First == String, Second == Leaf {
  static func random(_ dice: inout MacroDice) -> Pair {
    Pair(first: dice.text(), seconds: dice.list(Leaf.random), inferred: dice.list(Leaf.random))
  }
}

extension Identifier: Shape {
  static func random(_ dice: inout MacroDice) -> Identifier { Identifier(raw: dice.number()) }
}

extension Either: Shape where Left: Shape, Right: Shape {
  static func random(_ dice: inout MacroDice) -> Either {
    dice.flip() ? .left(.random(&dice)) : .right(.random(&dice))
  }
}

extension Outer.Inner: Shape where Element == Int {
  static func random(_ dice: inout MacroDice) -> Self {
    Self(
      element: dice.number(),
      sibling: dice.flip() ? .here : .there(.init(n: dice.number())))
  }
}

extension Space.InExtension: Shape {
  static func random(_ dice: inout MacroDice) -> Self {
    Self(
      values: dice.list { dice in
        let sibling = Sibling(n: dice.number())
        return dice.flip()
          ? .one(sibling) : .two(sibling, name: dice.flip() ? nil : Sibling(n: dice.number()))
      })
  }
}

extension Recursive: Shape {
  static func random(_ dice: inout MacroDice) -> Recursive {
    Recursive(children: dice.list(Recursive.random), named: dice.map(Recursive.random))
  }
}

extension Tree: Shape {
  static func random(_ dice: inout MacroDice) -> Tree {
    dice.fuel -= 1
    defer { dice.fuel += 1 }
    switch dice.next() % (dice.fuel > 0 ? 4 : 3) {
    case 0: return .leaf(dice.number())
    case 1: return .pair(dice.number(), label: dice.text())
    case 2: return .empty
    default: return .node(left: .random(&dice), right: .random(&dice))
    }
  }
}

extension Chain: Shape {
  static func random(_ dice: inout MacroDice) -> Chain {
    dice.fuel -= 1
    defer { dice.fuel += 1 }
    return dice.fuel > 0 && dice.flip()
      ? .link(dice.number(), .random(&dice)) : .end(dice.list { $0.number() })
  }
}

extension Colour: Shape {
  static func random(_ dice: inout MacroDice) -> Colour {
    [.red, .green, .blue][Int(dice.next() % 3)]
  }
}

extension Single: Shape {
  static func random(_ dice: inout MacroDice) -> Single { .only(dice.number()) }
}

extension SinglePlain: Shape {
  static func random(_ dice: inout MacroDice) -> SinglePlain { .only }
}

extension Action: Shape {
  static func random(_ dice: inout MacroDice) -> Action {
    switch dice.next() % 8 {
    case 0: .default
    case 1: .optional(dice.flip() ? nil : dice.number())
    case 2: .nestedOptional([nil, .some(nil), dice.number()][Int(dice.next() % 3)])
    case 3: .unlabelled(dice.number(), dice.text())
    case 4: .wildcard(dice.number())
    case 5: .labelled(zeta: dice.list { $0.number() }, id: dice.number())
    case 6: .defaulted(count: dice.number(), in: dice.text())
    default: .new(.random(&dice))
    }
  }
}

extension PublicState: Shape {
  static func random(_ dice: inout MacroDice) -> PublicState {
    var value = PublicState()
    value.n = dice.number()
    value.text = dice.text()
    return value
  }
}

extension Forty: Shape {
  static func random(_ dice: inout MacroDice) -> Forty {
    var value = Forty()
    value.field3 = dice.number()
    value.field17 = dice.number()
    value.field39 = dice.number()
    return value
  }
}
