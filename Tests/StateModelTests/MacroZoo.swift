public import StateModel

// Shapes of mirrored types, each for something that the macro has to get right. That they compile
// is a test of its own; `MacroShapeTests` sends values of each through everything `Mirrored` does.

@Mirrored struct Empty {}

@Mirrored struct Leaf {
  var n = 1
  @BindingState var text = ""
}

/// Everything a property can be.
@Mirrored struct Properties {
  var inferred = 1
  var annotated: Int
  var first = "a", second: Bool, third: Bool
  var optional: Int?
  var nested: [String: [Leaf]] = [:]
  var observed = 0 { didSet { if observed < 0 { observed = 0 } } }
  private var hidden = 3
  private(set) var readable = "r"
  var `default` = true
  let constant: String
  let optionalConstant: Int?
  let version = 1
  static let shared = 7
  static var computedStatic: Int { 1 }
  var computed: Int { inferred }
  var settable: Int {
    get { hidden }
    set { hidden = newValue }
  }
  @BindingState var bound = 1.5
  @BindingState var boundWithoutValue: [Int]
  @BindingState var boundOptional: Bool?
  @Wire("Title", aliases: "title", "caption") var name = "untitled"

  init(annotated: Int, constant: String, optionalConstant: Int? = nil, boundWithoutValue: [Int]) {
    self.annotated = annotated
    self.constant = constant
    self.optionalConstant = optionalConstant
    second = false
    third = true
    _boundWithoutValue = BindingState(wrappedValue: boundWithoutValue)
  }
}

@Mirrored struct Hidden {
  private var secret = 3
  let version = 1
  let limit = Int.max
  static let shared = 5
  var shown: Int { secret * 2 }
}

@Mirrored struct Constants {
  let id: Int
  let items: [Leaf]
  var note = ""
}

@Mirrored struct Box<Item> {
  var item: Item
  var others: [Item] = []
}

@Mirrored struct Pair<First: Hashable, Second> where Second: Mirrored {
  var first: First
  var seconds: [Second]
  var inferred = [Second]()
}

/// A phantom parameter needs no conformance.
@Mirrored struct Identifier<Of> {
  var raw: Int
}

struct NotMirrored {}

@Mirrored struct Keyed<Row: Identifiable> {
  var rows: [Row.ID]
}

@Mirrored enum Either<Left, Right> {
  case left(Left)
  case right(Right)
}

enum Outer<Element> {
  @Mirrored struct Inner {
    let element: Element
    var sibling: Sibling = .here
  }

  @Mirrored enum Sibling {
    case here
    case there(Inner2)
  }

  @Mirrored struct Inner2 {
    var n = 0
  }
}

enum Space {}

extension Space {
  @Mirrored struct InExtension {
    var values: [Nested] = []

    @Mirrored enum Nested {
      case one(Sibling)
      case two(Sibling, name: Sibling?)
    }

    @Mirrored struct Sibling {
      var n = 0
    }
  }
}

@Mirrored struct Recursive {
  var children: [Recursive] = []
  var named: [String: Recursive] = [:]
}

@Mirrored indirect enum Tree {
  case leaf(Int)
  case node(left: Tree, right: Tree)
  case pair(Int, label: String)
  case empty
}

/// No case without a payload, so none to stand in while a payload is changed.
@Mirrored indirect enum Chain {
  case end([Int])
  case link(Int, Chain)
}

@Mirrored enum Colour {
  case red
  case green, blue
}

@Mirrored enum Single {
  case only(Int)
}

@Mirrored enum SinglePlain {
  case only
}

@Mirrored enum Never2 {}

@Mirrored enum Action {
  case `default`
  case optional(Int?)
  case nestedOptional(Int??)
  case unlabelled(Int, String)
  case wildcard(_ n: Int)
  case labelled(zeta: [Int], id: Int)
  case defaulted(count: Int = 3, `in`: String)
  @Wire("renamed", aliases: "old") case new(Leaf)

  var isDefault: Bool { self == .default }
  static func make() -> Action { .default }
}

/// Conformances that the author wrote are left alone.
@Mirrored struct OwnEquality: Hashable {
  var n = 0
  var ignored = 0

  static func == (one: OwnEquality, other: OwnEquality) -> Bool { one.n == other.n }
  func hash(into hasher: inout Hasher) { hasher.combine(n) }
}

@Mirrored struct OwnConformances: Equatable, Sendable {
  var n = 0
}

@Mirrored struct OwnGenericEquality<T> {
  var value: T
}

nonisolated extension OwnGenericEquality: nonisolated Equatable where T: Equatable {
  static func == (one: Self, other: Self) -> Bool { one.value == other.value }
}

@Mirrored struct OwnOperator {
  var n = 0
  static func == (one: OwnOperator, other: OwnOperator) -> Bool { abs(one.n) == abs(other.n) }
}

/// A public type's witnesses are public.
@Mirrored public struct PublicState {
  /// A field.
  public var n = 0
  /// A settable field.
  @BindingState public var text = ""
  private var secret: PrivateState = PrivateState()

  /// A state with its defaults.
  public init() {}

  /// A nested public type.
  @Mirrored public enum Kind {
    /// One.
    case one
    /// Two.
    case two(PublicState)
  }
}

extension PublicState {
  /// A nested type that is public by its extension's word, and one that is not.
  @Mirrored struct Internal { var n = 0 }
}

@Mirrored package struct PackageState {
  package var n = 0
}

@Mirrored private struct FilePrivateState { var n = 0 }

@Mirrored private struct PrivateState { var n = 0 }

struct Enclosing {
  @Mirrored fileprivate struct Nested { var n = 0 }
}

@Mirrored struct Forty {
  var field0 = 0
  var field1 = 1
  var field2 = 2
  var field3 = 3
  var field4 = 4
  var field5 = 5
  var field6 = 6
  var field7 = 7
  var field8 = 8
  var field9 = 9
  var field10 = 10
  var field11 = 11
  var field12 = 12
  var field13 = 13
  var field14 = 14
  var field15 = 15
  var field16 = 16
  var field17 = 17
  var field18 = 18
  var field19 = 19
  var field20 = 20
  var field21 = 21
  var field22 = 22
  var field23 = 23
  var field24 = 24
  var field25 = 25
  var field26 = 26
  var field27 = 27
  var field28 = 28
  var field29 = 29
  var field30 = 30
  var field31 = 31
  var field32 = 32
  var field33 = 33
  var field34 = 34
  var field35 = 35
  var field36 = 36
  var field37 = 37
  var field38 = 38
  var field39 = 39
}
