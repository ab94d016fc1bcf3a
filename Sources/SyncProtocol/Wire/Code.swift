/// What became of a request or of one action. Codes are stable; unknown ones survive decoding.
public struct Code: RawRepresentable, Hashable, Sendable {
  /// The text on the wire.
  public var rawValue: String

  /// A code from the wire.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Done, or answered.
  public static let ok = Code(rawValue: "ok")
  /// Accepted and committed; the state is the same as before.
  public static let noChange = Code(rawValue: "no-change")

  // Outcomes: they consume the action's number and are journalled.

  /// The app refused it.
  public static let rejected = Code(rawValue: "rejected")
  /// Of the wrong type, or out of range.
  public static let invalid = Code(rawValue: "invalid")
  /// Compare-and-set: the value is not the expected one.
  public static let conflict = Code(rawValue: "conflict")
  /// The field may not be set from outside.
  public static let notSettable = Code(rawValue: "not-settable")
  /// What it was for is not there any more.
  public static let gone = Code(rawValue: "gone")
  /// Somebody else answered first.
  public static let alreadyAnswered = Code(rawValue: "already-answered")
  /// The policy does not allow it.
  public static let forbidden = Code(rawValue: "forbidden")
  /// The app knows no such action.
  public static let unknownAction = Code(rawValue: "unknown-action")
  /// Given up: it was not applied and never will be.
  public static let cancelled = Code(rawValue: "cancelled")

  // Refusals: they consume nothing; sending it again later may succeed.

  /// Too much at once; again in a moment.
  public static let busy = Code(rawValue: "busy")
  /// The journal's disk is full.
  public static let noSpace = Code(rawValue: "no-space")
  /// Of another epoch, or the journal failed: hello again, then once more.
  public static let retry = Code(rawValue: "retry")
  /// Over a limit that hello tells.
  public static let tooLarge = Code(rawValue: "too-large")
  /// The number is higher than the next one.
  public static let outOfOrder = Code(rawValue: "out-of-order")
  /// The daemon cannot know any more what became of it.
  public static let expired = Code(rawValue: "expired")
  /// The number was used with other bytes.
  public static let idReused = Code(rawValue: "id-reused")
  /// Not understood.
  public static let malformed = Code(rawValue: "malformed")
  /// The client speaks an older protocol than the daemon still does.
  public static let tooOld = Code(rawValue: "too-old")
  /// The client speaks a newer protocol only.
  public static let tooNew = Code(rawValue: "too-new")
  /// The daemon's history was replaced: acknowledged actions may be undone.
  public static let rewritten = Code(rawValue: "rewritten")
  /// The daemon does not count the session among those that are there (any more): hello, asking to
  /// be present, then the same again.
  public static let helloAgain = Code(rawValue: "hello-again")
  /// The deadline passed before there was a result: whether it was done is not known.
  public static let overdue = Code(rawValue: "overdue")
  /// The session was ended by the daemon.
  public static let evicted = Code(rawValue: "evicted")
  /// No such view, topic or answer.
  public static let unknown = Code(rawValue: "unknown")
  /// Known to the protocol, not offered by this daemon.
  public static let notOffered = Code(rawValue: "not-offered")
  /// A fault of the daemon's; it is in its log.
  public static let `internal` = Code(rawValue: "internal")

  /// Whether an action with this code has consumed its number.
  public var consumesNumber: Bool { Self.outcomes.contains(self) }

  private static let outcomes: Set<Code> = [
    .ok, .noChange, .rejected, .invalid, .conflict, .notSettable, .gone, .alreadyAnswered,
    .forbidden, .unknownAction, .cancelled,
  ]
}
