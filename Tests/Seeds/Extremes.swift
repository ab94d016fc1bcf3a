// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Composable
public import StateModel

/// Not a seed: states that are large in ways that cost stack, and a cascade that is long.
public struct Extremes: Reducer {
  @Mirrored public struct State {
    public var count = 0
    public var chain = Chain.end
    /// 64 KiB in place, without a reference.
    public var wide = Wide(repeating: Sixteen(repeating: Sixteen(repeating: Pair())))

    public typealias Wide = Sixteen<Sixteen<Sixteen<Pair>>>

    public init() {}
  }

  /// As deep as there are links.
  @Mirrored public indirect enum Chain {
    case end
    case link(Chain)

    public var depth: Int {
      var (depth, rest) = (0, self)
      while case .link(let next) = rest { (depth, rest) = (depth + 1, next) }
      return depth
    }
  }

  @Mirrored public struct Pair {
    public var left = 0
    public var right = 0

    public init() {}
  }

  @Mirrored public struct Sixteen<Element> {
    public var a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p: Element

    public init(repeating element: Element) {
      (a, b, c, d, e, f, g, h) = (
        element, element, element, element, element, element, element, element
      )
      (i, j, k, l, m, n, o, p) = (
        element, element, element, element, element, element, element, element
      )
    }
  }

  @Mirrored public enum Action {
    /// Sends itself so often, one after the other.
    case count(Int)
    case deepen(Int)
    /// Changes the first and the last of the wide state.
    case fill(Int)
  }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .count(let left):
      state.count += 1
      return left > 1 ? .send(.count(left - 1)) : .none
    case .deepen(let levels):
      for _ in 0..<levels { state.chain = .link(state.chain) }
      return .none
    case .fill(let number):
      state.wide.a.a.a.left = number
      state.wide.p.p.p.right = number
      return .none
    }
  }
}
