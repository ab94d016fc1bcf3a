public import StateModel

/// An action for one element of a collection: `case rows(IdentifiedAction<Row.ID, Row.Action>)`.
@Mirrored public enum IdentifiedAction<ID: Hashable & Sendable, Action: Sendable>: Sendable {
  /// The element `id` gets `action`.
  case element(id: ID, action: Action)

  /// The way to the id and the element's action.
  static var elementPath: CasePath<IdentifiedAction, (ID, Action)> {
    CasePath(
      name: "element", embed: { .element(id: $0.0, action: $0.1) },
      extract: { action in
        switch action {
        case .element(let id, let action): (id, action)
        }
      })
  }
}

/// The actions of the elements of `R`: `IdentifiedActionOf<Row>`.
public typealias IdentifiedActionOf<R: Reducer> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable, R.State.ID: Sendable

extension Reducer {
  /// Runs a reducer for the element that an action names, before this reducer.
  public func forEach<
    Elements: IdentifiedElements & Sendable, ChildAction: Sendable,
    Child: Reducer<Elements.Element, ChildAction>
  >(
    _ elements: any WritableKeyPath<State, Elements> & Sendable,
    action: CasePath<Action, IdentifiedAction<Elements.ID, ChildAction>>,
    @ReducerBuilder<Elements.Element, ChildAction> element child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> ForEach<Self, Elements, Child> {
    forEach(
      elements, action: action.appending(IdentifiedAction.elementPath), element: child,
      fileID: fileID, line: line)
  }

  /// Runs a reducer for the element that an action names; the action's case by name.
  public func forEach<
    Elements: IdentifiedElements & Sendable, ChildAction: Sendable,
    Child: Reducer<Elements.Element, ChildAction>
  >(
    _ elements: any WritableKeyPath<State, Elements> & Sendable,
    action: CaseKeyPath<Action, IdentifiedAction<Elements.ID, ChildAction>>,
    @ReducerBuilder<Elements.Element, ChildAction> element child: () -> Child,
    fileID: String = #fileID, line: UInt = #line
  ) -> ForEach<Self, Elements, Child> where Action: CasePathable {
    forEach(
      elements, action: Action.allCasePaths[keyPath: action], element: child, fileID: fileID,
      line: line)
  }
}
