/// A binding's set that the daemon did not take: the binding shows the daemon's value again.
public struct RefusedSet: Equatable, Sendable, CustomStringConvertible {
  /// The field, as `statecast set` names it: `counter.step`.
  public var field: String
  /// Why: `not-settable`, `invalid` (another type, or out of range), `gone`, `conflict` (it was to
  /// be set only if nobody else had), or what the app itself rejects it with.
  public var failure: ActionFailure

  /// A refusal of a field's set.
  public init(field: String, failure: ActionFailure) {
    self.field = field
    self.failure = failure
  }

  /// `counter.step was not set: invalid: step: expected an integer, found a text`.
  public var description: String {
    let text =
      failure.isCertain
      ? "\(field) was not set: \(failure)"
      : "It is not known whether \(field) was set: \(failure.message)"
    // Whoever shows it ends the sentence.
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
