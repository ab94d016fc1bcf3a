import StateModel

@testable import SyncProtocol

/// The app of the authority's tests: a bit that flips, a count of what was applied, a blob.
///
/// Actions are `[kind, id]`, two texts; `applied` counts each id, so that applying one twice shows.
struct FlipApp: AuthorityApp {
  typealias Work = String
  typealias View = FlipView
  typealias Checkpoint = FlipState

  struct FlipState: Equatable {
    var bit = 0
    var applied: [String: Int] = [:]
    var blob: [UInt8] = []
    /// Who came and went, and which handles there are.
    var present: [String] = []
    var handles: [String] = []
  }

  var state = FlipState()
  var wantsStarted = false
  var wantsPresence = false
  /// What views there were opened, for tests that count.
  var checkpoint: FlipState { state }
  mutating func restore(_ checkpoint: FlipState) { state = checkpoint }
  var rootDigest: Digest { Digest(leaf: [UInt8(state.bit)]) }
  var schemaHash: UInt64 { 7 }
  var viewNames: [String] { ["all", "bit", "blob"] }
  var schemaDescription: Value { .text("flip") }

  mutating func perform(_ entry: CommitEntry) -> Performed<String> {
    for expectation in entry.expectations
    where expectation.digest != Digest(rawValue: UInt64(state.bit)) {
      return Performed(code: .conflict, text: "the bit is \(state.bit)", path: expectation.path)
    }
    switch entry.kind {
    case .started: return apply("inc", "started")
    case .effect(let action, _): return perform(action)
    case .client(.perform(let action)): return perform(action)
    case .client(.set(let field, let value)):
      guard field == "bit", let bit = try? Int(encoded: value) else {
        return Performed(code: .notSettable, text: "`\(field)` may not be set")
      }
      state.bit = bit
      return Performed(code: .ok)
    case .presence(let attendance): return attend(attendance)
    case .client(.offer(let name)):
      state.handles.append("\(entry.origin ?? 0) \(name)")
      return Performed(code: .ok)
    case .client(.withdraw(let name)):
      state.handles.removeAll { $0 == "\(entry.origin ?? 0) \(name)" }
      return Performed(code: .ok)
    case .client(.answer), .client(.other), .migrated:
      return Performed(code: .gone, text: "no such alert")
    }
  }

  private mutating func attend(_ attendance: Attendance) -> Performed<String> {
    switch attendance {
    case .joined(let client, let name): state.present.append("\(client) joined \(name)")
    case .away(let client): state.present.append("\(client) away")
    case .back(let client): state.present.append("\(client) back")
    case .left(let client):
      state.present.append("\(client) left")
      state.handles.removeAll { $0.hasPrefix("\(client) ") }
    }
    return Performed(code: .ok)
  }

  private mutating func perform(_ action: [UInt8]) -> Performed<String> {
    var decoder = CBORDecoder(action)
    guard (try? decoder.array()) == 2, let kind = try? decoder.text(),
      let id = try? decoder.text()
    else { return Performed(code: .unknownAction, text: "no such action") }
    return apply(kind, id)
  }

  private mutating func apply(_ kind: String, _ id: String) -> Performed<String> {
    switch kind {
    case "flip": state.bit ^= 1
    case "inc": break
    case "bad":
      if state.bit == 1 { return Performed(code: .rejected, text: "not while the bit is 1") }
    case "nothing": return Performed(code: .noChange)
    case "trouble": return Performed(code: .internal, text: "trouble")
    case "work":
      state.applied[id, default: 0] += 1
      return Performed(code: .ok, work: id)
    case "grow":
      let size = Int(id) ?? 0
      state.blob = Array(repeating: UInt8(truncatingIfNeeded: state.applied.count), count: size)
      return Performed(code: .ok)
    default: return Performed(code: .unknownAction, text: "no action is called \(kind)")
    }
    state.applied[id, default: 0] += 1
    return Performed(code: .ok, rootDelta: Delta(bytes: [0x81, 0x82, 0x01, 0x80]))
  }

  func openView(name: String, parameters: [UInt8]) throws(ViewRefusal) -> FlipView {
    guard let kind = FlipView.Kind(rawValue: name) else {
      throw ViewRefusal(code: .unknown, text: "no view is called \(name)")
    }
    return FlipView(kind: kind, encoding: kind.project(state))
  }

  static func action(_ kind: String, _ id: String) -> [UInt8] {
    var encoder = CBOREncoder()
    encoder.array(2)
    encoder.text(kind)
    encoder.text(id)
    return encoder.bytes
  }
}

/// A projection that is kept encoded; every delta sets it as a whole.
struct FlipView: AuthorityView {
  typealias App = FlipApp

  enum Kind: String {
    case all
    case bit
    case blob

    func project(_ state: FlipApp.FlipState) -> [UInt8] {
      var encoder = CBOREncoder()
      switch self {
      case .bit: encoder.unsigned(UInt64(state.bit))
      case .blob: encoder.byteString(state.blob)
      case .all:
        encoder.array(2)
        encoder.unsigned(UInt64(state.bit))
        encoder.array(state.applied.count)
        for (id, count) in state.applied.sorted(by: { $0.key < $1.key }) {
          encoder.array(2)
          encoder.text(id)
          encoder.unsigned(UInt64(count))
        }
      }
      return encoder.bytes
    }
  }

  var kind: Kind
  var encoding: [UInt8]

  var digest: Digest { Digest(leaf: encoding) }
  var schemaHash: UInt64 { 11 }
  func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces? {
    encoding.count <= limit ? EncodedPieces(encoding, of: length) : nil
  }
  func delta(from older: FlipView) -> Delta { DeltaWriter.whole(encoded: encoding) }

  mutating func refresh(from app: FlipApp) -> Delta? {
    let new = kind.project(app.state)
    if new == encoding { return nil }
    encoding = new
    return DeltaWriter.whole(encoded: new)
  }
}
