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
  /// What an entry does: an action, and for an answer what takes the question away.
  struct Step {
    var action: Root.Action
    var followUp: (Root.State) -> Root.Action? = { _ in nil }
    var question: UUID?
  }

  /// What an entry stands for.
  func step(of kind: CommitEntry.Kind) throws(EntryRefusal) -> Step {
    guard case .client(.answer(let alert, let button)) = kind else {
      return Step(action: try action(of: kind))
    }
    guard let id = try? UUID(encoded: alert) else {
      throw EntryRefusal(code: .invalid, text: "the id of an alert is a UUID")
    }
    do throws(AlertAnswer<Root.State, Root.Action>.Refusal) {
      let answer = try AlertAnswer(
        to: id, button: button.map { Int(clamping: $0) }, in: state, of: alertPlaces)
      return Step(action: answer.action, followUp: answer.followUp, question: id)
    } catch {
      switch error {
      case .noQuestion:
        if let earlier = answered.answer(to: id) {
          throw EntryRefusal(code: .alreadyAnswered, text: earlier.text)
        }
        throw EntryRefusal(code: .gone, text: "this question is not asked any more")
      case .noButton(let count):
        throw EntryRefusal(code: .invalid, text: "the question has \(count) buttons")
      }
    }
  }

  /// The action that an entry stands for.
  private func action(of kind: CommitEntry.Kind) throws(EntryRefusal) -> Root.Action {
    switch kind {
    case .started:
      guard let started else { throw EntryRefusal(code: .unknownAction, text: "nothing to start") }
      return started
    case .effect(let action, _): return try decode(action)
    case .client(.perform(let action)): return try decode(action)
    case .client(.set(let field, let value)):
      guard let action = actionSchema.bindingAction(field: field, value: value) else {
        throw EntryRefusal(code: .notSettable, text: notSettable(field))
      }
      return try decode(action)
    case .client(.answer):
      throw EntryRefusal(code: .internal, text: "an answer is no action of its own")
    case .client(.other(let kind)):
      throw EntryRefusal(code: .unknownAction, text: "entries of kind \(kind) are not offered yet")
    }
  }

  private func decode(_ bytes: [UInt8]) throws(EntryRefusal) -> Root.Action {
    do {
      return try Root.Action(encoded: bytes)
    } catch {
      let code: Code = error.reason == .unknownCase ? .unknownAction : .invalid
      throw EntryRefusal(code: code, text: error.description, path: error.path.map { $0.encoded() })
    }
  }

  private func notSettable(_ field: String) -> String {
    let names = actionSchema.settableFields.map(\.name)
    let offer = names.isEmpty ? "this app has none" : "there are \(names.joined(separator: ", "))"
    return "\(field) may not be set from outside; \(offer)"
  }

  /// Compare-and-set: an outcome when one of the expected digests is not the present one.
  func unmet(
    _ expectations: [Entry.Expectation], in kind: CommitEntry.Kind
  ) -> Performed<Work>? {
    if expectations.isEmpty { return nil }
    var prefix: [[UInt8]] = []
    if case .client(.set(let field, _)) = kind {
      prefix = field.split(separator: ".").map { String($0).encoded() }
    }
    let root = Value(of: state)
    for expectation in expectations {
      let path = prefix + expectation.path
      let elements = path.map { (try? Value(encoded: $0)) ?? .null }
      if root.value(at: elements)?.digest != expectation.digest {
        return Performed(
          code: .conflict, text: "the value is not the expected one any more", path: path)
      }
    }
    return nil
  }
}
