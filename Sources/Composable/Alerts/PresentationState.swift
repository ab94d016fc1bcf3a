public import StateModel

/// A child that is presented while it is there: an alert, a dialog, a screen.
///
///     @PresentationState var alert: AlertState<Action.Alert>?
///
/// Mirrored as the optional that it wraps.
@propertyWrapper
public struct PresentationState<State> {
  /// The child; nil while there is none.
  public var wrappedValue: State?

  /// A presentation of a child, or of none.
  public init(wrappedValue: State?) { self.wrappedValue = wrappedValue }

  /// The wrapper itself: `\.$alert` is what `ifLet` takes.
  public var projectedValue: PresentationState<State> {
    get { self }
    set { self = newValue }
  }
}

extension PresentationState: Sendable where State: Sendable {}
extension PresentationState: Equatable where State: Equatable {}
extension PresentationState: Hashable where State: Hashable {}

extension PresentationState: Mirrored, MirroredByWire where State: Mirrored {
  package var wire: State? { wrappedValue }
  package init(wire: State?) { self.init(wrappedValue: wire) }

  /// No child.
  public static var absent: PresentationState<State>? { PresentationState(wrappedValue: nil) }
  /// Without a child it encodes as `null`.
  public static var mayEncodeAsNull: Bool { true }
}

/// What happens to a presented child.
@Mirrored public enum PresentationAction<Action> {
  /// The child's own action.
  case presented(Action)
  /// The child is to go.
  case dismiss
}

/// What is asked of a person and gone with the answer: alerts and dialogs.
public protocol EphemeralState: Identifiable where ID: Sendable {
  /// What the buttons send.
  associatedtype Action
}

extension AlertState: EphemeralState {}
extension ConfirmationDialogState: EphemeralState {}
