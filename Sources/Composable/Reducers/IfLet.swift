/// Runs a child's reducer on state that may be absent, before its parent; made by
/// `Reducer.ifLet(_:action:then:)`.
public struct IfLet<Base: Reducer, Child: Reducer>: Reducer {
  let base: Base
  let child: Child
  let toChildState: any WritableKeyPath<Base.State, Child.State?> & Sendable
  let toChildAction: CasePath<Base.Action, Child.Action>
  /// What tells one child from another that takes its place; nil where all are the same.
  let identity: ((Child.State) -> EffectID)?
  let location: SourceLocation

  /// Runs the child, then the parent, and ends the effects of a child that is gone.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let scope = ScopeID(state: toChildState, action: toChildAction.id)
    var effect = Effect<Base.Action>.none
    if let childAction = toChildAction.extract(action) {
      if let before = presence(in: state) {
        let childEffect = state[keyPath: toChildState].modify {
          child.reduce(into: &$0, action: childAction)
        }
        effect =
          childEffect?.lifted(to: toChildAction, child: scope.element(before)) ?? .none
      } else {
        reportAbsentChild("ifLet", Child.Action.self, at: location)
      }
    }
    let mayRun = !effect.isNone
    effect = effect.merge(with: base.reduce(into: &state, action: action))
    return effect.endingAbsentChildren(of: scope, mayRun: mayRun) {
      let now = presence(in: state)
      return { $0 == now }
    }
  }

  private func presence(in state: Base.State) -> EffectID? {
    guard let child = state[keyPath: toChildState] else { return nil }
    return identity?(child) ?? .present
  }
}

extension Effect {
  /// This effect, and the end of the effects of the children at `scope` that are gone.
  ///
  /// Which are gone is asked of those that have effects under way, when the effects are started:
  /// comparing the children with what they were would cost their number at every action, and
  /// would miss what another reducer did to them. Where no child has an effect, nothing is asked.
  ///
  /// - Parameters:
  ///   - mayRun: whether this effect starts something in a child.
  ///   - makePresence: gives what tells whether a child is there now.
  func endingAbsentChildren(
    of scope: ScopeID, mayRun: Bool,
    _ makePresence: () -> @Sendable (EffectID) -> Bool
  ) -> Effect {
    guard mayRun || DependencyValues.current.scratch?.isKeyed(scope) ?? true else { return self }
    return merge(with: Effect(.prune(scope, isPresent: makePresence())))
  }
}

extension EffectID {
  /// Stands for any child that is there.
  static let present = EffectID(true)
}

extension Optional {
  /// Changes the wrapped value in place, without a second reference to it meanwhile.
  mutating func modify<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
    guard var value = self else { return nil }
    self = nil
    defer { self = value }
    return body(&value)
  }
}

extension Reducer {
  /// Runs a child while its state is there, before this reducer.
  ///
  /// An action for a child that is absent is reported. A child that goes away has its effects
  /// cancelled.
  public func ifLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfLet<Self, Child> {
    IfLet(
      base: self, child: child(), toChildState: state, toChildAction: action, identity: nil,
      location: SourceLocation(fileID: fileID, line: line))
  }

  /// Runs a child while its state is there, before this reducer. A child that another one replaces
  /// (by its `id`) has its effects cancelled too.
  public func ifLet<
    ChildState: Identifiable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfLet<Self, Child> where ChildState.ID: Sendable {
    IfLet(
      base: self, child: child(), toChildState: state, toChildAction: action,
      identity: { EffectID($0.id) }, location: SourceLocation(fileID: fileID, line: line))
  }

  /// Runs a child while its state is there; its action's case by name.
  public func ifLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfLet<Self, Child> where Action: CasePathable {
    ifLet(
      state, action: Action.allCasePaths[keyPath: action], then: child, fileID: fileID, line: line)
  }

  /// Runs a child while its state is there; its action's case by name.
  public func ifLet<
    ChildState: Identifiable, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>
  >(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> IfLet<Self, Child> where Action: CasePathable, ChildState.ID: Sendable {
    ifLet(
      state, action: Action.allCasePaths[keyPath: action], then: child, fileID: fileID, line: line)
  }
}
