/// One step from a parent's reducer into a child's.
package struct ScopeID: Hashable, Sendable {
  /// The way from the parent's state to the child's.
  private let state: (any AnyKeyPath & Sendable)?
  /// The way from the parent's action to the child's.
  private let action: CasePathID
  /// The element, in a collection of children.
  package let element: EffectID?

  package init(
    state: (any AnyKeyPath & Sendable)?, action: CasePathID, element: EffectID? = nil
  ) {
    self.state = state
    self.action = action
    self.element = element
  }

  /// The step into one element of a collection.
  package func element(_ id: some Hashable & Sendable) -> ScopeID {
    ScopeID(state: state, action: action, element: EffectID(id))
  }

  /// The collection that an element is in.
  package var collection: ScopeID { ScopeID(state: state, action: action) }

  package static func == (left: Self, right: Self) -> Bool {
    left.action == right.action && left.element == right.element
      && (left.state as AnyKeyPath?) == (right.state as AnyKeyPath?)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(action)
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
