/// Runs a child's reducer on one case of an enum state, before its parent; made by
/// `Reducer.ifCaseLet(_:action:then:)`.
public struct IfCaseLet<Base: Reducer, Child: Reducer>: Reducer {
  let base: Base
  let child: Child
  let toChildState: CasePath<Base.State, Child.State>
  let toChildAction: CasePath<Base.Action, Child.Action>
  /// What tells one child from another that takes its place; nil where all are the same.
  let identity: ((Child.State) -> EffectID)?
  let location: SourceLocation

  /// Runs the child, then the parent, and ends the effects of a case that was left.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let scope = ScopeID(stateCase: toChildState.id, action: toChildAction.id)
    var effect = Effect<Base.Action>.none
    if let childAction = toChildAction.extract(action) {
      if var childState = toChildState.extract(state) {
        let before = presence(childState)
        let childEffect = child.reduce(into: &childState, action: childAction)
        state = toChildState.embed(childState)
        effect = childEffect.lifted(to: toChildAction, child: scope.element(before))
      } else {
        reportAbsentChild("ifCaseLet", Child.Action.self, at: location)
      }
    }
    let mayRun = !effect.isNone
    effect = effect.merge(with: base.reduce(into: &state, action: action))
    return effect.endingAbsentChildren(of: scope, mayRun: mayRun) {
      let now = toChildState.extract(state).map(presence)
      return { $0 == now }
    }
  }

  private func presence(_ child: Child.State) -> EffectID { identity?(child) ?? .present }
}

extension Reducer {
  /// Runs a child while the state is the child's case, before this reducer.
  ///
  /// An action for another case than the present one is reported. A case that is left has its
  /// effects cancelled.
  public func ifCaseLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfCaseLet<Self, Child> {
    IfCaseLet(
      base: self, child: child(), toChildState: state, toChildAction: action, identity: nil,
      location: SourceLocation(fileID: fileID, line: line))
  }

  /// Runs a child while the state is the child's case. A child that another one of the same case
  /// replaces (by its `id`) has its effects cancelled too.
  public func ifCaseLet<
    ChildState: Identifiable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfCaseLet<Self, Child> where ChildState.ID: Sendable {
    IfCaseLet(
      base: self, child: child(), toChildState: state, toChildAction: action,
      identity: { EffectID($0.id) }, location: SourceLocation(fileID: fileID, line: line))
  }

  /// Runs a child while the state is the child's case; both cases by name.
  public func ifCaseLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: CaseKeyPath<State, ChildState>, action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfCaseLet<Self, Child> where State: CasePathable, Action: CasePathable {
    ifCaseLet(
      State.allCasePaths[keyPath: state], action: Action.allCasePaths[keyPath: action],
      then: child, fileID: fileID, line: line)
  }

  /// Runs a child while the state is the child's case; both cases by name. A child that another one
  /// of the same case replaces (by its `id`) has its effects cancelled too.
  public func ifCaseLet<
    ChildState: Identifiable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: CaseKeyPath<State, ChildState>, action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfCaseLet<Self, Child>
  where State: CasePathable, Action: CasePathable, ChildState.ID: Sendable {
    ifCaseLet(
      State.allCasePaths[keyPath: state], action: Action.allCasePaths[keyPath: action],
      then: child, fileID: fileID, line: line)
  }
}
