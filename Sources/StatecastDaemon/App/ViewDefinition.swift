public import StateModel

/// A named projection of the state that clients may subscribe to (`observe:` in TCA).
///
/// A view says what it reads: it is projected anew only when that part changed, and only while
/// somebody subscribes to it.
public struct ViewDefinition<State: Mirrored>: Sendable {
  /// The name on the wire: 1 to 64 of `A-Z a-z 0-9 . _ -`.
  public let name: String
  /// What its values look like.
  public let schema: Schema
  /// What its parameters look like; nil for none.
  public let parameterSchema: Schema?
  let open: @Sendable ([UInt8], State) throws(DecodingFailure) -> any Projection<State>

  /// A view that reads the whole state.
  public init<ViewState: Mirrored>(
    _ name: String, _ project: @escaping @Sendable (State) -> ViewState
  ) {
    self.init(name, reads: { $0 }, project)
  }

  /// A view that reads one part of the state: it is projected only when that part changed.
  public init<Part: Mirrored, ViewState: Mirrored>(
    _ name: String, reads part: @escaping @Sendable (State) -> Part,
    _ project: @escaping @Sendable (Part) -> ViewState
  ) {
    self.name = name
    schema = Schema(of: ViewState.self)
    parameterSchema = nil
    open = { (parameters, state) throws(DecodingFailure) in
      guard parameters == [0xF6] else {
        throw DecodingFailure(.wrongType, "the view \(name) takes no parameters")
      }
      return PartProjection(
        of: state, part: part, memory: (), project: { part, _ in project(part) })
    }
  }

  /// A view with parameters, that reads one part of the state.
  public init<Parameters: Mirrored, Part: Mirrored, ViewState: Mirrored>(
    _ name: String, parameters: Parameters.Type, reads part: @escaping @Sendable (State) -> Part,
    _ project: @escaping @Sendable (Part, Parameters) -> ViewState
  ) {
    self.name = name
    schema = Schema(of: ViewState.self)
    parameterSchema = Schema(of: Parameters.self)
    open = { (bytes, state) throws(DecodingFailure) in
      let parameters = try Parameters(encoded: bytes)
      return PartProjection(
        of: state, part: part, memory: (), project: { part, _ in project(part, parameters) })
    }
  }

  /// A view with parameters that keeps something from one projection to the next, so that it need not
  /// begin from nothing: a `Filtered`, say, that holds a few elements of a large array.
  ///
  /// - Parameters:
  ///   - remembering: What a subscription with these parameters begins with.
  ///   - project: The view of a part. What it keeps may make it cheaper, but not another one: two
  ///     clients that subscribe at different times see the same.
  public init<Parameters: Mirrored, Part: Mirrored, Memory: Sendable, ViewState: Mirrored>(
    _ name: String, parameters: Parameters.Type, reads part: @escaping @Sendable (State) -> Part,
    remembering: @escaping @Sendable (Parameters) -> Memory,
    _ project: @escaping @Sendable (Part, inout Memory) -> ViewState
  ) {
    self.name = name
    schema = Schema(of: ViewState.self)
    parameterSchema = Schema(of: Parameters.self)
    open = { (bytes, state) throws(DecodingFailure) in
      PartProjection(
        of: state, part: part, memory: remembering(try Parameters(encoded: bytes)), project: project
      )
    }
  }
}

/// A live view of some type: a value, so that a copy is a pinned snapshot.
protocol Projection<State>: Sendable {
  associatedtype State
  var digest: Digest { get }
  mutating func refresh(from state: State) -> Delta?
  /// Nil where it takes more than `limit` bytes.
  func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces?
  /// From an older copy; the whole value when that is of another type.
  func delta(from older: any Projection<State>) -> Delta
}

/// Projects a part of the state whenever that part is not identical to the one before.
struct PartProjection<State: Mirrored, Part: Mirrored, Memory: Sendable, ViewState: Mirrored>:
  Projection
{
  private let part: @Sendable (State) -> Part
  private let project: @Sendable (Part, inout Memory) -> ViewState
  private var input: Part
  private var memory: Memory
  private var value: ViewState

  init(
    of state: State, part: @escaping @Sendable (State) -> Part, memory: Memory,
    project: @escaping @Sendable (Part, inout Memory) -> ViewState
  ) {
    self.part = part
    self.project = project
    self.memory = memory
    input = part(state)
    value = project(input, &self.memory)
  }

  var digest: Digest { value.digest }

  mutating func refresh(from state: State) -> Delta? {
    let now = part(state)
    if now.isIdentical(to: input) { return nil }
    input = now
    let next = project(now, &memory)
    if next.isIdentical(to: value) { return nil }
    defer { value = next }
    return next.delta(from: value)
  }

  func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces? {
    value.encodedPieces(of: length, atMost: limit)
  }

  func delta(from older: any Projection<State>) -> Delta {
    guard let older = older as? Self else { return DeltaWriter.whole(encoded: value.encoded()) }
    return value.delta(from: older.value)
  }
}
