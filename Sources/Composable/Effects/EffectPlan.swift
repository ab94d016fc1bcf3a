/// Takes effects apart: actions that join the drain at once, and operations for later.
struct EffectPlan<Action: Sendable> {
  /// Actions for the drain under way, in order.
  var sends: [Action] = []
  /// What is to be started afterwards, in order.
  var operations: [EffectOperation<Action>] = []
  /// Why the commit is void; the first reason counts.
  var rejection: Rejection?
  /// Told of every element of a collection that has an effect.
  let noteKeyed: (ScopeID) -> Void

  /// Adds an effect.
  ///
  /// - Parameter isDeferred: whether the effect starts later, so that its actions can no longer
  ///   join the drain.
  mutating func add(
    _ node: Effect<Action>.Node, at place: EffectPlace = EffectPlace(), isDeferred: Bool = false
  ) {
    switch node {
    case .none: break
    case .send(let action):
      if isDeferred {
        operations.append(.send(action, place))
      } else {
        sends.append(action)
      }
    case .reject(let reason):
      if isDeferred {
        reportLateRejection(reason)
      } else if rejection == nil {
        rejection = reason
      }
    case .run(let work): operations.append(.run(work, place))
    case .wait(let wait): operations.append(.wait(wait, place))
    case .merge(let nodes):
      for node in nodes { add(node, at: place, isDeferred: isDeferred) }
    case .concatenate(let nodes): concatenate(nodes[...], at: place, isDeferred: isDeferred)
    case .cancel(let id): operations.append(.cancel(CancelKey(path: place.path, id: id)))
    case .prune(let scope, let isPresent):
      operations.append(.prune(place.path, scope, isPresent: isPresent))
    case .child(let scope, let node):
      if scope.element != nil { noteKeyed(scope.collection) }
      var inner = place
      inner.path = place.path.appending(scope)
      add(node, at: inner, isDeferred: isDeferred)
    case .cancellable(let node, let id, let cancelInFlight):
      let key = CancelKey(path: place.path, id: id)
      if cancelInFlight { operations.append(.cancel(key)) }
      var inner = place
      inner.keys.append(key)
      add(node, at: inner, isDeferred: isDeferred)
    case .throttle(let node, let id, let window, let latest):
      let key = CancelKey(path: place.path, id: id)
      var inner = place
      inner.keys.append(key)
      let held = planned(node, at: inner)
      operations.append(.throttle(held, inner, key, window, latest: latest))
    }
  }

  /// As long as nothing takes time, a sequence is no different from its parts one after the other.
  private mutating func concatenate(
    _ nodes: ArraySlice<Effect<Action>.Node>, at place: EffectPlace, isDeferred: Bool
  ) {
    var rest = nodes
    var steps: [EffectOperation<Action>] = []
    while !isDeferred, steps.isEmpty, let first = rest.popFirst() {
      var plan = EffectPlan(noteKeyed: noteKeyed)
      plan.add(first, at: place)
      sends += plan.sends
      rejection = rejection ?? plan.rejection
      if !rest.isEmpty, plan.operations.contains(where: \.takesTime) {
        steps = [.group(plan.operations)]
      } else {
        operations += plan.operations
      }
    }
    for node in rest { steps.append(.group(planned(node, at: place))) }
    if !steps.isEmpty { operations.append(.sequence(steps, place)) }
  }

  private func planned(
    _ node: Effect<Action>.Node, at place: EffectPlace
  ) -> [EffectOperation<Action>] {
    var plan = EffectPlan(noteKeyed: noteKeyed)
    plan.add(node, at: place, isDeferred: true)
    return plan.operations
  }
}

private func reportLateRejection(_ rejection: Rejection) {
  reportIssue(
    IssueReport(
      """
      'Effect.reject' (\(rejection.code)) stands behind an effect that takes time: the commit cannot \
      be undone any more, and nothing was refused. Return it from the reducer itself, before any \
      other effect.
      """))
}
