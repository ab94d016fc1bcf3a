public import FoundationEssentials
public import StateModel

/// Whether a dialog shows its title.
@Mirrored public enum ConfirmationDialogStateTitleVisibility: Hashable {
  /// As the client is used to.
  case automatic
  /// Hidden.
  case hidden
  /// Shown.
  case visible
}

/// A choice offered to a person: an `AlertState` of another kind, with the same wire form.
public struct ConfirmationDialogState<Action>: Identifiable {
  /// One of its buttons.
  public typealias Button = ButtonState<Action>
  /// What one of its buttons sends.
  public typealias ButtonAction = ButtonStateAction<Action>

  /// Tells the dialog apart.
  public let id: UUID
  /// What it is about.
  public var title: TextState
  /// Whether the title is shown.
  public var titleVisibility: ConfirmationDialogStateTitleVisibility
  /// More about it.
  public var message: TextState?
  /// How it can be answered; without any it can only be dismissed.
  public var buttons: [ButtonState<Action>]
  /// Who may answer, and when it is answered by itself; nil for everybody, and never.
  public var terms: QuestionTerms?

  /// A dialog.
  public init(
    titleVisibility: ConfirmationDialogStateTitleVisibility = .automatic,
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.init(
      title: title(), titleVisibility: titleVisibility, message: message?(), buttons: actions())
  }

  /// A dialog with any number of buttons.
  public init(
    title: TextState, titleVisibility: ConfirmationDialogStateTitleVisibility = .automatic,
    message: TextState? = nil, buttons: [ButtonState<Action>] = []
  ) {
    id = .presented()
    self.title = title
    self.titleVisibility = titleVisibility
    self.message = message
    self.buttons = buttons
  }
}

/// The name that dialogs had once.
public typealias ActionSheetState<Action> = ConfirmationDialogState<Action>

extension ConfirmationDialogState: Sendable where Action: Sendable {}

extension ConfirmationDialogState: Equatable where Action: Equatable {
  /// Whether both say and offer the same.
  public static func == (left: ConfirmationDialogState, right: ConfirmationDialogState) -> Bool {
    left.title == right.title && left.titleVisibility == right.titleVisibility
      && left.message == right.message && left.buttons == right.buttons
      && left.terms == right.terms
  }
}

extension ConfirmationDialogState: Mirrored, MirroredByWire where Action: Mirrored {
  package static var wireTag: UInt64? { QuestionWire<Action>.tag }

  package var wire: QuestionWire<Action> {
    QuestionWire(
      id: id, kind: .dialog, title: title, message: message, titleVisibility: titleVisibility,
      buttons: buttons, terms: terms)
  }

  package init(wire: QuestionWire<Action>) throws(DecodingFailure) {
    try wire.check(.dialog)
    id = wire.id
    title = wire.title
    titleVisibility = wire.titleVisibility ?? .automatic
    message = wire.message
    buttons = wire.buttons
    terms = wire.terms
  }
}
