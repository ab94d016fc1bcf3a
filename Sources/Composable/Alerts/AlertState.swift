public import FoundationEssentials
public import StateModel

/// A question to a person, put up by putting it into the state, and answered by any client.
///
/// The id is made anew for each, from the commit's seed: it is mirrored, but no part of `==`, so
/// that a second alert with the same text is a new alert and tests compare what it says.
///
/// On the wire it is tag 60002 around a map of `id`, `kind` (`alert` or `dialog`), `title`,
/// `message`, `titleVisibility`, `terms` and `buttons`, each a map of `id`, `role`, `label` and `action`: a
/// client that knows no type of the app finds it in any value, and answers with the id and the
/// button's index.
public struct AlertState<Action>: Identifiable {
  /// One of its buttons.
  public typealias Button = ButtonState<Action>
  /// What one of its buttons sends.
  public typealias ButtonAction = ButtonStateAction<Action>

  /// Tells the alert apart.
  public let id: UUID
  /// What it is about.
  public var title: TextState
  /// More about it.
  public var message: TextState?
  /// How it can be answered; without any it can only be dismissed.
  public var buttons: [ButtonState<Action>]
  /// Who may answer, and when it is answered by itself; nil for everybody, and never.
  public var terms: QuestionTerms?

  /// An alert.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.init(title: title(), message: message?(), buttons: actions())
  }

  /// An alert with any number of buttons.
  public init(title: TextState, message: TextState? = nil, buttons: [ButtonState<Action>]) {
    id = .presented()
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  /// An alert with one button, or none.
  public init(
    title: TextState, message: TextState? = nil, dismissButton: ButtonState<Action>? = nil
  ) {
    self.init(title: title, message: message, buttons: dismissButton.map { [$0] } ?? [])
  }

  /// An alert with two buttons.
  public init(
    title: TextState, message: TextState? = nil, primaryButton: ButtonState<Action>,
    secondaryButton: ButtonState<Action>
  ) {
    self.init(title: title, message: message, buttons: [primaryButton, secondaryButton])
  }
}

extension AlertState: Sendable where Action: Sendable {}

extension AlertState: Equatable where Action: Equatable {
  /// Whether both say and offer the same.
  public static func == (left: AlertState, right: AlertState) -> Bool {
    left.title == right.title && left.message == right.message && left.buttons == right.buttons
      && left.terms == right.terms
  }
}

extension AlertState: Mirrored, MirroredByWire where Action: Mirrored {
  package static var wireTag: UInt64? { QuestionWire<Action>.tag }

  package var wire: QuestionWire<Action> {
    QuestionWire(
      id: id, kind: .alert, title: title, message: message, titleVisibility: nil,
      buttons: buttons, terms: terms)
  }

  package init(wire: QuestionWire<Action>) throws(DecodingFailure) {
    try wire.check(.alert)
    id = wire.id
    title = wire.title
    message = wire.message
    buttons = wire.buttons
    terms = wire.terms
  }
}

/// What alerts and dialogs are on the wire, inside their tag.
@Mirrored package struct QuestionWire<Action> {
  /// Says to clients that know no Swift type that a value is a question to a person.
  package static var tag: UInt64 { 60_002 }

  @Mirrored package enum Kind {
    case alert
    case dialog
  }

  package var id: UUID
  package var kind: Kind
  package var title: TextState
  package var message: TextState?
  package var titleVisibility: ConfirmationDialogStateTitleVisibility?
  package var buttons: [ButtonState<Action>]
  package var terms: QuestionTerms?

  func check(_ expected: Kind) throws(DecodingFailure) {
    guard kind == expected else {
      throw DecodingFailure(.wrongType, "expected kind \(expected), found \(kind)", path: ["kind"])
    }
  }
}
