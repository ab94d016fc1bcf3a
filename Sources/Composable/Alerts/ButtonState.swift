public import FoundationEssentials
public import StateModel

/// What a button is for, beside its action.
@Mirrored public enum ButtonStateRole: Hashable {
  /// Leaves things as they are.
  case cancel
  /// Does away with something.
  case destructive
}

/// What a button sends.
public struct ButtonStateAction<Action> {
  /// The action; nil for a button that only dismisses.
  public let action: Action?

  /// Sends an action.
  public static func send(_ action: Action?) -> ButtonStateAction {
    ButtonStateAction(action: action)
  }
}

extension ButtonStateAction: Equatable where Action: Equatable {}
extension ButtonStateAction: Sendable where Action: Sendable {}

/// A button of an alert or dialog: a label, a role, and the action that it sends, if any. Every
/// button dismisses.
///
/// The id is made anew for each, from the commit's seed; it is mirrored, but no part of `==`.
public struct ButtonState<Action>: Identifiable {
  /// Tells the button apart.
  public let id: UUID
  /// What it is for.
  public let role: ButtonStateRole?
  /// What it sends.
  public let action: Action?
  /// What it says.
  public let label: TextState

  /// A button.
  public init(role: ButtonStateRole? = nil, action: Action? = nil, label: () -> TextState) {
    self.init(role: role, action: action, label: label())
  }

  /// A button that sends `action`.
  public init(
    role: ButtonStateRole? = nil, action: ButtonStateAction<Action>, label: () -> TextState
  ) {
    self.init(role: role, action: action.action, label: label())
  }

  private init(role: ButtonStateRole?, action: Action?, label: TextState) {
    id = .presented()
    self.role = role
    self.action = action
    self.label = label
  }

  /// A button without a role.
  public static func `default`(
    _ label: TextState, action: ButtonStateAction<Action>? = nil
  ) -> ButtonState {
    ButtonState(role: nil, action: action?.action, label: label)
  }

  /// A button that leaves things as they are.
  public static func cancel(
    _ label: TextState, action: ButtonStateAction<Action>? = nil
  ) -> ButtonState {
    ButtonState(role: .cancel, action: action?.action, label: label)
  }

  /// A button that does away with something.
  public static func destructive(
    _ label: TextState, action: ButtonStateAction<Action>? = nil
  ) -> ButtonState {
    ButtonState(role: .destructive, action: action?.action, label: label)
  }
}

extension UUID {
  /// An id for what is presented: in a reducer from the commit's seed, so that replaying gives the
  /// same. Not the `uuid` dependency: a test need not set it to put up an alert.
  static func presented() -> UUID {
    guard let scratch = DependencyValues.current.scratch else { return UUID() }
    return UUID(randomHigh: scratch.nextRandom(), low: scratch.nextRandom())
  }
}

extension ButtonState: Sendable where Action: Sendable {}

extension ButtonState: Equatable where Action: Equatable {
  /// Whether both say and do the same.
  public static func == (left: ButtonState, right: ButtonState) -> Bool {
    left.role == right.role && left.action == right.action && left.label == right.label
  }
}

extension ButtonState: Hashable where Action: Hashable {
  /// Hashes what it says and does.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(role)
    hasher.combine(action)
    hasher.combine(label)
  }
}

/// A button as it is mirrored.
@Mirrored package struct ButtonWire<Action> {
  package var id: UUID
  package var role: ButtonStateRole?
  package var label: TextState
  package var action: Action?
}

extension ButtonState: Mirrored, MirroredByWire where Action: Mirrored {
  package var wire: ButtonWire<Action> {
    ButtonWire(id: id, role: role, label: label, action: action)
  }

  package init(wire: ButtonWire<Action>) {
    id = wire.id
    role = wire.role
    label = wire.label
    action = wire.action
  }
}

/// Puts buttons below one another, with `if`, `switch` and `for`.
@resultBuilder
public enum ButtonStateBuilder<Action> {
  /// A button.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }
  /// All lines.
  public static func buildBlock(_ parts: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    parts.flatMap { $0 }
  }
  /// An `if` without `else`.
  public static func buildOptional(_ part: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    part ?? []
  }
  /// The first branch.
  public static func buildEither(first part: [ButtonState<Action>]) -> [ButtonState<Action>] {
    part
  }
  /// The other branches.
  public static func buildEither(second part: [ButtonState<Action>]) -> [ButtonState<Action>] {
    part
  }
  /// A `for` loop.
  public static func buildArray(_ parts: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    parts.flatMap { $0 }
  }
}
