import StateModel
import SyncProtocol

/// What the simulated daemon hosts: one bit that actions flip or depend on, and the log of every
/// action that was ever applied. The log makes "exactly once" a thing that can be looked at.
struct ToyState: Equatable, Sendable {
  var bit: UInt64 = 0
  /// A field that bindings set: the action that did so last.
  var field: UInt64 = 0
  /// The identifiers of the applied actions, in their order.
  var applied: [UInt64] = []

  /// The whole state as the one kind of value that the simulation mirrors: a list of numbers.
  var values: [UInt64] { [bit, field] + applied }

  init() {}
  init(values: [UInt64]) {
    bit = values.first ?? 0
    field = values.dropFirst().first ?? 0
    applied = Array(values.dropFirst(2))
  }
}

/// An action: what it does, and an identifier that no other action of the history has.
struct ToyAction: Equatable, Sendable {
  enum Kind: UInt8, CaseIterable, Sendable {
    /// Turns the bit, so it changes every view that shows it.
    case flip
    /// Is in the log and nowhere else.
    case log
    /// Refused while the bit is set: the same action may be refused now and applied later.
    case unlessSet
    /// Accepted, and changes nothing.
    case idle
    /// As `log`, and an effect sends another action once it is durable.
    case effectful
    /// Sets the field, as a binding does.
    case assign
  }
  var kind: Kind
  var id: UInt64

  var bytes: [UInt8] { [kind.rawValue] + id.bigEndianBytes }

  init(kind: Kind, id: UInt64) {
    self.kind = kind
    self.id = id
  }

  init?(bytes: [UInt8]) {
    guard bytes.count == 9, let kind = Kind(rawValue: bytes[0]) else { return nil }
    self.kind = kind
    id = bytes.dropFirst().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// An effect that sends one action.
struct ToyWork: Equatable, Sendable {
  var action: [UInt8]
}

/// What the app saw, as the judge of the simulation has to know it. Shared by all copies of the app.
final class Witness {
  var complaint: String?
}

/// The app, with its whole state as its checkpoint.
struct ToyApp: AuthorityApp {
  typealias Work = ToyWork
  typealias View = ToyView

  var state: ToyState
  let witness: Witness
  let wantsStarted: Bool
  /// Which binary it is: another one projects some views differently from the same state.
  let edition: Edition
  var wantsPresence = false

  /// Effects name the actions they send after the one that started them.
  static let effectBit: UInt64 = 1 << 40

  var checkpoint: ToyState { state }
  mutating func restore(_ checkpoint: ToyState) { state = checkpoint }
  var rootDigest: Digest { ToyValue.digest(state.values) }
  var schemaHash: UInt64 { 1 }
  var viewNames: [String] { ["bit", "all", "half"] }
  var schemaDescription: Value { .null }

  mutating func perform(_ entry: CommitEntry) -> Performed<ToyWork> {
    let bytes: [UInt8]
    switch entry.kind {
    case .client(.perform(let action)), .effect(let action, _): bytes = action
    // Who is there is none of the toy's state: a commit that changes nothing.
    case .presence, .client(.offer), .client(.withdraw): return Performed(code: .noChange)
    case .client, .migrated:
      return Performed(code: .invalid, text: "The toy takes actions only.")
    case .started:
      // What was under way in the epoch before is reset.
      guard state.bit == 1 else { return Performed(code: .noChange) }
      let before = state
      state.bit = 0
      return Performed(
        code: .ok,
        rootDelta: entry.wantsRootDelta
          ? ToyValue.delta(from: before.values, to: state.values) : .empty)
    }
    guard let action = ToyAction(bytes: bytes) else {
      return Performed(code: .unknownAction, text: "The toy knows no such action.")
    }
    for expectation in entry.expectations
    where expectation.digest != ToyValue.digest([state.bit]) {
      return Performed(code: .conflict, text: "The bit is \(state.bit).", path: expectation.path)
    }
    let before = state
    switch action.kind {
    case .idle: return Performed(code: .noChange)
    case .unlessSet where state.bit == 1:
      return Performed(code: .rejected, text: "The bit is set.")
    case .flip: state.bit ^= 1
    case .assign: state.field = action.id
    case .log, .unlessSet, .effectful: break
    }
    if state.applied.contains(action.id) {
      witness.complaint = "action \(action.id) is applied a second time"
    }
    state.applied.append(action.id)
    let delta =
      entry.wantsRootDelta ? ToyValue.delta(from: before.values, to: state.values) : .empty
    let work =
      action.kind == .effectful
      ? ToyWork(action: ToyAction(kind: .log, id: action.id | Self.effectBit).bytes) : nil
    return Performed(code: .ok, rootDelta: delta, work: work)
  }

  func openView(name: String, parameters: [UInt8]) throws(ViewRefusal) -> ToyView {
    guard let projection = ToyProjection(name: name, parameters: parameters) else {
      throw ViewRefusal(code: .unknown, text: "The toy has no view \(name).")
    }
    return ToyView(projection, state, edition)
  }
}

/// A build of the app.
enum Edition: UInt64, Sendable {
  case first = 0
  case second = 2
}

/// The views on offer.
enum ToyProjection: Hashable, Sendable {
  case bit
  case all
  /// Every other action: a view with parameters.
  case half(UInt64)

  init?(name: String, parameters: [UInt8]) {
    switch name {
    case "bit": self = .bit
    case "all": self = .all
    case "half":
      guard let first = parameters.first, first < 2 else { return nil }
      self = .half(UInt64(first))
    default: return nil
    }
  }

  var name: String {
    switch self {
    case .bit: "bit"
    case .all: "all"
    case .half: "half"
    }
  }

  var parameters: [UInt8] { if case .half(let which) = self { [UInt8(which)] } else { [0xF6] } }

  func project(_ state: ToyState, _ edition: Edition) -> [UInt64] {
    switch self {
    case .bit: [state.bit + edition.rawValue]
    case .all: [state.bit + edition.rawValue, state.field] + state.applied
    case .half(let which): state.applied.filter { $0 & 1 == which }
    }
  }

  /// Whether the view shows this action.
  func shows(_ id: UInt64) -> Bool {
    switch self {
    case .bit: false
    case .all: true
    case .half(let which): id & 1 == which
    }
  }
}

/// A projection that follows the toy's state.
struct ToyView: AuthorityView {
  typealias App = ToyApp
  let projection: ToyProjection
  let edition: Edition
  private(set) var value: [UInt64]
  private(set) var digest: Digest
  var schemaHash: UInt64 { 1 }

  init(_ projection: ToyProjection, _ state: ToyState, _ edition: Edition) {
    self.projection = projection
    self.edition = edition
    value = projection.project(state, edition)
    digest = ToyValue.digest(value)
  }

  mutating func refresh(from app: ToyApp) -> Delta? {
    let new = projection.project(app.state, edition)
    guard new != value else { return nil }
    let delta = ToyValue.delta(from: value, to: new)
    value = new
    digest = ToyValue.digest(new)
    return delta
  }

  func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces? {
    let bytes = ToyValue.encode(value)
    return bytes.count <= limit ? EncodedPieces(bytes, of: length) : nil
  }
  func delta(from older: ToyView) -> Delta { ToyValue.delta(from: older.value, to: value) }
}

/// Lists of numbers, encoded, compared and fingerprinted: real deltas in real bytes.
enum ToyValue {
  static func encode(_ value: [UInt64]) -> [UInt8] {
    var encoder = CBOREncoder()
    encoder.reserve(value.count * 3 + 2)
    encoder.array(value.count)
    for number in value { encoder.unsigned(number) }
    return encoder.bytes
  }

  static func digest(_ value: [UInt64]) -> Digest { Digest(leaf: encode(value)) }

  /// One splice, from the first difference to the last.
  static func delta(from old: [UInt64], to new: [UInt64]) -> Delta {
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    { end += 1 }
    let removed = old.count - end - start
    let items = new[start..<(new.count - end)]
    if removed == 0, items.isEmpty { return .empty }
    var encoder = CBOREncoder()
    encoder.array(1)
    encoder.array(5)
    encoder.unsigned(2)
    encoder.array(0)
    encoder.unsigned(UInt64(start))
    encoder.unsigned(UInt64(removed))
    encoder.array(items.count)
    for item in items { encoder.unsigned(item) }
    return Delta(bytes: encoder.bytes)
  }

  static func decode(_ bytes: ArraySlice<UInt8>) throws(DecodingFailure) -> [UInt64] {
    var decoder = CBORDecoder(bytes)
    var value: [UInt64] = []
    for _ in 0..<(try decoder.array()) { value.append(try decoder.unsigned()) }
    try decoder.finish()
    return value
  }

  static func apply(_ delta: Delta, to value: inout [UInt64]) throws(DeltaFailure) {
    var copy = value
    try delta.read { (change) throws(DeltaFailure) in
      guard change.path.isEmpty else { throw DeltaFailure("the toy has no such path") }
      do {
        switch change.operation {
        case .set(let whole): copy = try decode(whole)
        case .splice(let index, let removed, let items):
          guard index <= copy.count, removed <= copy.count - index else {
            throw DeltaFailure("the splice does not fit")
          }
          var numbers: [UInt64] = []
          for item in items {
            var decoder = CBORDecoder(item)
            numbers.append(try decoder.unsigned())
          }
          copy.replaceSubrange(index..<(index + removed), with: numbers)
        default: throw DeltaFailure("the toy has no such change")
        }
      } catch let failure as DecodingFailure {
        throw DeltaFailure(failure)
      } catch let failure as DeltaFailure {
        throw failure
      } catch {
        throw DeltaFailure("\(error)")
      }
    }
    value = copy
  }
}

/// A client's copy of a toy's view.
struct ToyReplica: Replica {
  private(set) var value: [UInt64] = []
  private(set) var digest = Digest(rawValue: 0)
  var schemaHash: UInt64?

  mutating func reset(to encoded: ArraySlice<UInt8>, digest _: Digest) throws(DecodingFailure) {
    value = try ToyValue.decode(encoded)
    digest = ToyValue.digest(value)
  }

  mutating func apply(_ delta: Delta) throws(DeltaFailure) {
    try ToyValue.apply(delta, to: &value)
    digest = ToyValue.digest(value)
  }
}
