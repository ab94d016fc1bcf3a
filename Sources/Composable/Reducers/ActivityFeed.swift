/// Keeps a bounded feed of what happened; made by `Reducer.activityFeed(_:limit:_:)`.
public struct ActivityFeed<Base: Reducer, Entry>: Reducer {
  let base: Base
  let feed: WritableKeyPath<Base.State, [Entry]>
  let limit: Int
  let entries: (_ action: Base.Action, _ old: Base.State, _ new: Base.State) -> [Entry]

  /// Runs the reducer and adds what is worth an entry; the oldest ones make room.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let old = state
    let effect = base.reduce(into: &state, action: action)
    let new = entries(action, old, state)
    if new.isEmpty { return effect }
    state[keyPath: feed] += new
    let surplus = state[keyPath: feed].count - limit
    if surplus > 0 { state[keyPath: feed].removeFirst(surplus) }
    return effect
  }
}

extension Reducer {
  /// Keeps a feed of what this reducer did.
  ///
  /// - Parameters:
  ///   - feed: where the entries are kept, the oldest first.
  ///   - limit: the most entries that are kept.
  ///   - entries: what an action is worth, from the state before and after. Take the time and who
  ///     it was from `@Dependency`.
  public func activityFeed<Entry>(
    _ feed: WritableKeyPath<State, [Entry]>, limit: Int,
    _ entries: @escaping (_ action: Action, _ old: State, _ new: State) -> [Entry]
  ) -> ActivityFeed<Self, Entry> {
    ActivityFeed(base: self, feed: feed, limit: limit, entries: entries)
  }
}
