internal import Composable
internal import FoundationEssentials
internal import StateModel
internal import SyncProtocol

/// Why an entry is no action of the app's: an outcome that consumes its number.
struct EntryRefusal: Error {
  var code: Code
  var text: String
  var path: [[UInt8]] = []
}

extension HostedApp {
  /// What an entry does: an action, and what belongs to the same commit: for an answer what takes
  /// the question away.
  struct Step {
    var action: Root.Action
    /// The action as it came; empty for an answer, which has none.
    var encoded: [UInt8] = []
    var further: [Root.Action] = []
    var followUp: (Root.State) -> Root.Action? = { _ in nil }
    var question: UUID?
    /// What keeps the question up, though it is answered.
    var mistake: (Root.State) -> AlertMistake? = { _ in nil }
  }

  /// What an entry stands for.
  func step(of entry: CommitEntry) throws(EntryRefusal) -> Step {
    switch entry.kind {
    case .client(.answer(let alert, let button)): return try answer(alert, button, entry)
    case .client(.perform(let action)), .effect(let action, _):
      return Step(action: try decode(action), encoded: action)
    case .client(.set(let field, let value)):
      guard let action = bindings.action(setting: field, to: value) else {
        throw EntryRefusal(code: .notSettable, text: notSettable(field))
      }
      return Step(action: try decode(action), encoded: action)
    case .client(.offer(let name)):
      return try step(.offered(try handle(name, entry)))
    case .client(.withdraw(let name)):
      return try step(.withdrawn(try handle(name, entry)))
    case .client(.other(let kind)):
      throw EntryRefusal(code: .unknownAction, text: "entries of kind \(kind) are not offered yet")
    case .started:
      return try step(
        [started, guests.presence(.allLeft), guests.handles(.allGone)], "nothing to start")
    case .presence(let attendance):
      return try step(guests.actions(for: attendance), "nobody is listed")
    case .migrated:
      throw EntryRefusal(code: .unknownAction, text: "a migration is no action")
    }
  }

  private func step(_ change: HandleChange) throws(EntryRefusal) -> Step {
    try step([guests.handles(change)], "this app keeps no handles")
  }

  /// The actions that there are, as one commit.
  private func step(
    _ actions: [Root.Action?], _ nothing: String
  ) throws(EntryRefusal) -> Step {
    let actions = actions.compactMap { $0 }
    guard let first = actions.first else {
      throw EntryRefusal(code: .unknownAction, text: nothing)
    }
    return Step(action: first, further: Array(actions.dropFirst()))
  }

  private func handle(_ name: String, _ entry: CommitEntry) throws(EntryRefusal) -> Handle {
    guard Topic.isViewName(name) else {
      throw EntryRefusal(
        code: .invalid, text: "a handle's name has 1 to 64 of A-Z a-z 0-9 . _ -, not \(name)")
    }
    return Handle(owner: entry.origin ?? 0, epoch: entry.epoch.rawValue, name: name)
  }

  private func answer(
    _ alert: [UInt8], _ button: UInt64?, _ entry: CommitEntry
  ) throws(EntryRefusal) -> Step {
    guard let id = try? UUID(encoded: alert) else {
      throw EntryRefusal(code: .invalid, text: "the id of an alert is a UUID")
    }
    do throws(AlertAnswer<Root.State, Root.Action>.Refusal) {
      let answer = try AlertAnswer(
        to: id, button: button.map { Int(clamping: $0) }, in: state, of: alertPlaces,
        by: entry.origin.map { .client($0, isAdmin: entry.role == .admin) } ?? .itself)
      return Step(
        action: answer.action, followUp: answer.followUp, question: id, mistake: answer.mistake)
    } catch {
      switch error {
      case .noPlace:
        throw EntryRefusal(
          code: .gone, text: "this app has not said where its questions are: no alertPlaces")
      case .noQuestion:
        if let earlier = answered.answer(to: id) {
          throw EntryRefusal(code: .alreadyAnswered, text: earlier.text)
        }
        throw EntryRefusal(code: .gone, text: "this question is not asked any more")
      case .noButton(let count):
        throw EntryRefusal(code: .invalid, text: "the question has \(count) buttons")
      case .forbidden(let text): throw EntryRefusal(code: .forbidden, text: text)
      }
    }
  }

  private func decode(_ bytes: [UInt8]) throws(EntryRefusal) -> Root.Action {
    do {
      return try Root.Action(encoded: bytes)
    } catch {
      throw Self.refusal(error, isBinding: bindings.find(in: bytes) != nil)
    }
  }

  /// The refusal of bytes that are no action.
  static func refusal(_ failure: DecodingFailure, isBinding: Bool = false) -> EntryRefusal {
    let code: Code =
      switch failure.reason {
      case .notSettable: .notSettable
      // Of a binding it is the value that has no such case.
      case .unknownCase where !isBinding: .unknownAction
      default: .invalid
      }
    return EntryRefusal(
      code: code, text: failure.description, path: failure.path.map { $0.encoded() })
  }

  private func notSettable(_ field: String) -> String {
    let names = bindings.names
    let offer = names.isEmpty ? "this app has none" : "there are \(names.joined(separator: ", "))"
    return "\(field) may not be set from outside; \(offer)"
  }

  /// Compare-and-set: an outcome when one of the expected digests is not the present one.
  func unmet(
    _ expectations: [Entry.Expectation], of kind: CommitEntry.Kind
  ) -> Performed<Work>? {
    if expectations.isEmpty || Self.areOfField(kind) { return nil }
    let root = Value(of: state)
    for expectation in expectations {
      let elements = expectation.path.map { (try? Value(encoded: $0)) ?? .null }
      if root.value(at: elements)?.digest != expectation.digest {
        return Performed(
          code: .conflict, text: "the value is not the expected one any more",
          path: expectation.path)
      }
    }
    return nil
  }

  /// What the field that a `set` names must still be; its reducer is who knows where it is.
  static func fieldExpectations(_ entry: CommitEntry) -> [FieldExpectation] {
    if entry.expectations.isEmpty || !areOfField(entry.kind) { return [] }
    return entry.expectations.map { expectation in
      FieldExpectation(
        path: expectation.path.map { (try? Value(encoded: $0)) ?? .null },
        digest: expectation.digest)
    }
  }

  /// Whether an entry's expectations are of the field that it sets, and not of the root state.
  private static func areOfField(_ kind: CommitEntry.Kind) -> Bool {
    if case .client(.set) = kind { true } else { false }
  }

  /// The outcome of a binding that no reducer applied: what it belongs to is gone, or a
  /// `BindingReducer` was forgotten, which is also for the log.
  func unapplied(
    _ step: Step, _ cascade: Cascade<Root.Action>
  ) -> (outcome: Performed<Work>, report: IssueReport?)? {
    guard cascade.bindingCount == 0, cascade.rejection == nil,
      let field = bindings.find(in: step.encoded)?.name
    else {
      return nil
    }
    if cascade.absentChildCount > 0 {
      return (
        Performed(code: .gone, text: "what \(field) belongs to is not there any more"), nil
      )
    }
    return (
      Performed(
        code: .notSettable,
        text: "no reducer of the app applies \(field): its BindingReducer() is missing"),
      IssueReport(
        """
        A client set '\(field)', but no reducer applied it. Add 'BindingReducer()' to the body of \
        the reducer whose action has that binding.
        """, at: SourceLocation(fileID: "\(Root.self)", line: 0))
    )
  }
}
