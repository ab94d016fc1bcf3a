/// One step from a parent's reducer into a child's.
package struct ScopeID: Hashable, Sendable {
  /// The way from the parent's state to the child's: a field, or a case.
  private let state: (any AnyKeyPath & Sendable)?
  private let stateCase: CasePathID?
  /// The way from the parent's action to the child's.
  private let action: CasePathID
  /// Which child, where there may be several or one in the place of another.
  package let element: EffectID?

  /// The step into a child that lives in a field.
  package init(state: any AnyKeyPath & Sendable, action: CasePathID) {
    self.init(state: state, stateCase: nil, action: action, element: nil)
  }

  /// The step into a child that is one case of the parent's state.
  package init(stateCase: CasePathID, action: CasePathID) {
    self.init(state: nil, stateCase: stateCase, action: action, element: nil)
  }

  private init(
    state: (any AnyKeyPath & Sendable)?, stateCase: CasePathID?, action: CasePathID,
    element: EffectID?
  ) {
    self.state = state
    self.stateCase = stateCase
    self.action = action
    self.element = element
  }

  /// The step into one child of several, or of those that take one another's place.
  package func element(_ id: EffectID) -> ScopeID {
    ScopeID(state: state, stateCase: stateCase, action: action, element: id)
  }

  /// The collection that an element is in.
  package var collection: ScopeID {
    ScopeID(state: state, stateCase: stateCase, action: action, element: nil)
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.action == right.action && left.stateCase == right.stateCase
      && left.element == right.element
      && (left.state as AnyKeyPath?) == (right.state as AnyKeyPath?)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(action)
    hasher.combine(stateCase)
    hasher.combine(element)
  }
}

/// Where in the tree of reducers an effect was made. A parent reaches its children's effects; a
/// child never its parent's or a sibling's.
package struct TreePath: Hashable, Sendable {
  package var steps: [ScopeID]

  package init(_ steps: [ScopeID] = []) { self.steps = steps }

  /// One step further in.
  package func appending(_ step: ScopeID) -> TreePath { TreePath(steps + [step]) }

  /// Whether `other` is this place or lies below it.
  package func contains(_ other: TreePath) -> Bool { other.steps.starts(with: steps) }
}

/// A cancellation id at the place where it was used.
package struct CancelKey: Hashable, Sendable {
  package var path: TreePath
  package var id: EffectID

  package init(path: TreePath, id: EffectID) {
    self.path = path
    self.id = id
  }

  /// Whether cancelling this key ends an effect that runs under `other`.
  package func reaches(_ other: CancelKey) -> Bool { id == other.id && path.contains(other.path) }
}
