/// Runs a child's reducer on the part of a parent's state, and for the actions, that are the
/// child's. The effects come back as the parent's; what they are cancelled by stays the child's.
public struct Scope<State, Action: Sendable, Child: Reducer>: Reducer {
  private enum Way {
    case field(any WritableKeyPath<State, Child.State> & Sendable)
    case enumCase(CasePath<State, Child.State>)
  }

  private let way: Way
  private let toChildAction: CasePath<Action, Child.Action>
  private let child: Child
  private let location: SourceLocation

  /// A child that lives in a field of the parent's state.
  ///
  /// - Parameters:
  ///   - state: the field.
  ///   - action: the case of the parent's action that carries the child's.
  public init<ChildState, ChildAction: Sendable>(
    state: any WritableKeyPath<State, ChildState> & Sendable,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) where Child.State == ChildState, Child.Action == ChildAction {
    way = .field(state)
    toChildAction = action
    self.child = child()
    location = SourceLocation(fileID: fileID, line: line)
  }

  /// A child that lives in a field of the parent's state; its action's case by name.
  public init<ChildState, ChildAction: Sendable>(
    state: any WritableKeyPath<State, ChildState> & Sendable,
    action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) where Action: CasePathable, Child.State == ChildState, Child.Action == ChildAction {
    self.init(
      state: state, action: Action.allCasePaths[keyPath: action], child: child, fileID: fileID,
      line: line)
  }

  /// A child that is one case of the parent's state.
  public init<ChildState, ChildAction: Sendable>(
    state: CasePath<State, ChildState>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) where Child.State == ChildState, Child.Action == ChildAction {
    way = .enumCase(state)
    toChildAction = action
    self.child = child()
    location = SourceLocation(fileID: fileID, line: line)
  }

  /// Runs the child if the action is its.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard let childAction = toChildAction.extract(action) else { return .none }
    let effect: Effect<Child.Action>
    switch way {
    case .field(let keyPath):
      effect = child.reduce(into: &state[keyPath: keyPath], action: childAction)
      return effect.lifted(
        to: toChildAction, child: ScopeID(state: keyPath, action: toChildAction.id))
    case .enumCase(let casePath):
      guard var childState = casePath.extract(state) else {
        reportAbsentChild("Scope", Child.Action.self, at: location)
        return .none
      }
      effect = child.reduce(into: &childState, action: childAction)
      state = casePath.embed(childState)
      return effect.lifted(
        to: toChildAction,
        child: ScopeID(stateCase: casePath.id, action: toChildAction.id))
    }
  }
}

extension Effect {
  /// A child's effect as its parent's.
  func lifted<Parent: Sendable>(
    to toChildAction: CasePath<Parent, Action>, child scope: ScopeID
  ) -> Effect<Parent> {
    isNone ? .none : map(toChildAction.embed).inChild(scope)
  }
}

/// Reports an action for a child that is not there; the payload stays out of it.
func reportAbsentChild<ChildAction>(
  _ operation: String, _: ChildAction.Type, at location: SourceLocation
) {
  DependencyValues.current.scratch?.noteAbsentChild()
  reportIssue(
    IssueReport(
      """
      \(operation) received an action (\(ChildAction.self)) for a child that is not in the state; \
      only the parent ran. Let the parent put the child there before, or send the action only \
      while it is there.
      """, at: location))
}
