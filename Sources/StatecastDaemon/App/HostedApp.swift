package import Composable
package import StateModel
package import SyncProtocol

/// An app's reducer and state as the protocol's machine sees them.
///
/// A value: the machine keeps a copy of the state of the last durable batch, and returns to it
/// when the journal refuses a batch.
package struct HostedApp<Root: Reducer>: AuthorityApp
where Root.State: Mirrored, Root.Action: Mirrored {
  package typealias Work = [EffectOperation<Root.Action>]
  package typealias View = HostedView<Root>

  package private(set) var state: Root.State
  private var core: ReducerCore<Root>
  private let definitions: [String: ViewDefinition<Root.State>]
  private let schemaHashes: [String: UInt64]
  let started: Root.Action?
  private let authorize: (Root.Action, PublicNumber?) -> Bool
  private let report: (IssueReport) -> Void
  let actionSchema: Schema
  package let schemaHash: UInt64

  package init(
    reducer: Root, state: Root.State, views: [ViewDefinition<Root.State>],
    started: Root.Action? = nil,
    authorize: @escaping (Root.Action, PublicNumber?) -> Bool = { _, _ in true },
    report: @escaping (IssueReport) -> Void
  ) {
    self.state = state
    core = ReducerCore(reducer)
    definitions = Dictionary(views.map { ($0.name, $0) }) { first, _ in first }
    schemaHashes = definitions.mapValues { $0.schema.hash }
    self.started = started
    self.authorize = authorize
    self.report = report
    actionSchema = Schema(of: Root.Action.self)
    schemaHash = Schema(of: Root.State.self).hash
  }

  package var checkpoint: Root.State { state }
  package mutating func restore(_ checkpoint: Root.State) { state = checkpoint }
  package var rootDigest: Digest { state.digest }
  package var wantsStarted: Bool { started != nil }

  package mutating func perform(_ entry: CommitEntry) -> Performed<Work> {
    let action: Root.Action
    do {
      if let refusal = unmet(entry.expectations, in: entry.kind) { return refusal }
      action = try self.action(of: entry.kind)
    } catch {
      return Performed(code: error.code, text: error.text, path: error.path)
    }
    if case .client = entry.kind, !authorize(action, entry.origin) {
      return Performed(code: .forbidden, text: "this client may not send that action")
    }
    var next = state
    let cascade = core.perform(
      action, on: &next,
      facts: CommitFacts(
        date: entry.date, seed: entry.seed, origin: entry.origin, commit: entry.commit.rawValue))
    for report in cascade.reports { self.report(report) }
    let changed = !next.isIdentical(to: state)
    let delta = changed && entry.wantsRootDelta ? next.delta(from: state) : .empty
    state = next
    return Performed(
      code: changed ? .ok : .noChange, rootDelta: delta,
      work: cascade.operations.isEmpty ? nil : cascade.operations)
  }

  package func openView(name: String, parameters: [UInt8]) throws(ViewRefusal) -> HostedView<Root> {
    guard let definition = definitions[name], let hash = schemaHashes[name] else {
      throw ViewRefusal(
        code: .unknown,
        text: "no view is named \(name); there are \(viewNames.joined(separator: ", "))")
    }
    do {
      return HostedView(try definition.open(parameters, state), schemaHash: hash)
    } catch {
      throw ViewRefusal(code: .malformed, text: "parameters of \(name): \(error)")
    }
  }

  package var viewNames: [String] { definitions.keys.sorted() }

  package var schemaDescription: Value {
    let views = definitions.values.map { definition in
      (
        definition.name,
        Value.map([
          "state": Self.value(definition.schema),
          "parameters": definition.parameterSchema.map { Self.value($0) } ?? .null,
        ])
      )
    }
    return .map([
      "state": Self.value(Schema(of: Root.State.self)),
      "action": Self.value(actionSchema),
      "views": .map(Dictionary(views) { first, _ in first }),
    ])
  }

  /// A schema's encoding is deterministic, so it always decodes.
  private static func value(_ schema: Schema) -> Value {
    (try? Value(encoded: schema.encoded())) ?? .null
  }
}
