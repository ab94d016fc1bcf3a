public import StateModel

/// A collection of children that are told apart by an id.
public protocol IdentifiedElements<ID, Element> {
  /// What tells the elements apart.
  associatedtype ID: Hashable & Sendable
  /// A child's state.
  associatedtype Element

  /// The element with an id; setting nil removes it.
  subscript(id id: ID) -> Element? { get set }
}

extension IdentifiedArray: IdentifiedElements {}

/// Runs an element's reducer on a collection of children, before their parent; made by
/// `Reducer.forEach(_:action:element:)`.
public struct ForEach<
  Base: Reducer, Elements: IdentifiedElements & Sendable, Child: Reducer
>: Reducer
where Child.State == Elements.Element {
  let base: Base
  let child: Child
  let toElements: any WritableKeyPath<Base.State, Elements> & Sendable
  let toElementAction: CasePath<Base.Action, (Elements.ID, Child.Action)>
  let location: SourceLocation

  /// Runs the element, then the parent, and ends the effects of elements that are gone.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let scope = ScopeID(state: toElements, action: toElementAction.id)
    var effect = Effect<Base.Action>.none
    if let (id, childAction) = toElementAction.extract(action) {
      let childEffect = state[keyPath: toElements][id: id].modify {
        child.reduce(into: &$0, action: childAction)
      }
      if let childEffect {
        if !childEffect.isNone {
          let embed = toElementAction.embed
          effect = childEffect.map { embed((id, $0)) }.inChild(scope.element(EffectID(id)))
        }
      } else {
        reportAbsentChild("forEach", Child.Action.self, at: location)
      }
    }
    let mayRun = !effect.isNone
    effect = effect.merge(with: base.reduce(into: &state, action: action))
    return effect.endingAbsentChildren(of: scope, mayRun: mayRun) {
      let elements = state[keyPath: toElements]
      return { id in
        guard let id = id.value as? Elements.ID else { return false }
        return elements[id: id] != nil
      }
    }
  }
}

extension Reducer {
  /// Runs a reducer for the element that an action names, before this reducer.
  ///
  /// An action for an element that is absent is reported. An element that is removed has its
  /// effects cancelled.
  public func forEach<
    Elements: IdentifiedElements & Sendable, ChildAction: Sendable,
    Child: Reducer<Elements.Element, ChildAction>
  >(
    _ elements: any WritableKeyPath<State, Elements> & Sendable,
    action: CasePath<Action, (Elements.ID, ChildAction)>,
    @ReducerBuilder<Elements.Element, ChildAction> element child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> ForEach<Self, Elements, Child> {
    ForEach(
      base: self, child: child(), toElements: elements, toElementAction: action,
      location: SourceLocation(fileID: fileID, line: line))
  }
}
