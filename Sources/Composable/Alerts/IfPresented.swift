/// Runs a presented child, before its parent, and takes it away when it is dismissed; made by
/// `Reducer.ifLet(_:action:)`.
public struct IfPresented<Base: Reducer, Child: Reducer>: Reducer {
  let base: Base
  let child: Child
  let toPresentation: any WritableKeyPath<Base.State, PresentationState<Child.State>> & Sendable
  let toPresentationAction: CasePath<Base.Action, PresentationAction<Child.Action>>
  /// What tells one child from another that takes its place; nil where all are the same.
  let identity: ((Child.State) -> EffectID)?
  /// Whether the child is gone after its first action.
  let isEphemeral: Bool
  let location: SourceLocation

  /// Runs the child, then the parent; a dismissed child, or an alert that was answered, goes unless
  /// the parent has put another one in its place.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let scope = ScopeID(state: toPresentation, action: toPresentationAction.id)
    let before = presence(in: state)
    var effect = Effect<Base.Action>.none
    var isEnd = false
    if let presentationAction = toPresentationAction.extract(action) {
      switch presentationAction {
      case .presented(let childAction):
        let embed = toPresentationAction.embed
        let childEffect = state[keyPath: toPresentation].wrappedValue.modify {
          child.reduce(into: &$0, action: childAction)
        }
        if let before, let childEffect, !childEffect.isNone {
          effect = childEffect.map { embed(.presented($0)) }.inChild(scope.element(before))
        }
        isEnd = isEphemeral
      case .dismiss: isEnd = true
      }
      if before == nil { reportAbsentChild("ifLet", Child.Action.self, at: location) }
    }
    let mayRun = !effect.isNone
    effect = effect.merge(with: base.reduce(into: &state, action: action))
    if isEnd, presence(in: state) == before {
      state[keyPath: toPresentation].wrappedValue = nil
    }
    return effect.endingAbsentChildren(of: scope, mayRun: mayRun) {
      let now = presence(in: state)
      return { $0 == now }
    }
  }

  private func presence(in state: Base.State) -> EffectID? {
    guard let child = state[keyPath: toPresentation].wrappedValue else { return nil }
    return identity?(child) ?? .present
  }
}

extension Reducer {
  /// Takes an alert or dialog away once it was answered or dismissed, unless this reducer has put
  /// up another one.
  public func ifLet<Question: EphemeralState>(
    _ state: any WritableKeyPath<State, PresentationState<Question>> & Sendable,
    action: CasePath<Action, PresentationAction<Question.Action>>,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfPresented<Self, EmptyReducer<Question, Question.Action>> {
    IfPresented(
      base: self, child: EmptyReducer(), toPresentation: state, toPresentationAction: action,
      identity: { EffectID($0.id) }, isEphemeral: true,
      location: SourceLocation(fileID: fileID, line: line))
  }

  /// Takes an alert or dialog away once it was answered or dismissed; its action's case by name.
  public func ifLet<Question: EphemeralState>(
    _ state: any WritableKeyPath<State, PresentationState<Question>> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<Question.Action>>,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfPresented<Self, EmptyReducer<Question, Question.Action>> where Action: CasePathable {
    ifLet(state, action: Action.allCasePaths[keyPath: action], fileID: fileID, line: line)
  }

  /// Runs a presented child before this reducer, and takes it away when it is dismissed.
  public func ifLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: any WritableKeyPath<State, PresentationState<ChildState>> & Sendable,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfPresented<Self, Child> {
    IfPresented(
      base: self, child: child(), toPresentation: state, toPresentationAction: action,
      identity: nil, isEphemeral: false, location: SourceLocation(fileID: fileID, line: line))
  }

  /// Runs a presented child before this reducer, and takes it away when it is dismissed. A child
  /// that another one replaces (by its `id`) has its effects cancelled.
  public func ifLet<
    ChildState: Identifiable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: any WritableKeyPath<State, PresentationState<ChildState>> & Sendable,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfPresented<Self, Child> where ChildState.ID: Sendable {
    IfPresented(
      base: self, child: child(), toPresentation: state, toPresentationAction: action,
      identity: { EffectID($0.id) }, isEphemeral: false,
      location: SourceLocation(fileID: fileID, line: line))
  }

  /// Runs a presented child before this reducer; its action's case by name.
  public func ifLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: any WritableKeyPath<State, PresentationState<ChildState>> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfPresented<Self, Child> where Action: CasePathable {
    ifLet(
      state, action: Action.allCasePaths[keyPath: action], destination: child, fileID: fileID,
      line: line)
  }

  /// Runs a presented child before this reducer; its action's case by name. A child that another
  /// one replaces (by its `id`) has its effects cancelled.
  public func ifLet<
    ChildState: Identifiable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: any WritableKeyPath<State, PresentationState<ChildState>> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfPresented<Self, Child> where Action: CasePathable, ChildState.ID: Sendable {
    ifLet(
      state, action: Action.allCasePaths[keyPath: action], destination: child, fileID: fileID,
      line: line)
  }
}
