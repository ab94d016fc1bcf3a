public import Composable
import StateModel

/// A higher-order reducer: runs another one and writes down what became of it.
///
/// It compares what the other reducer left with what was before, so it notes every change of a
/// favourite, whichever action made it and however many there are, and nothing for an action that
/// changed nothing.
public struct ActivityFeed<Base: Reducer>: Reducer {
  private let base: Base
  private let primes: WritableKeyPath<Base.State, FavoritePrimes.State>
  private let activity: WritableKeyPath<Base.State, Activity.State>

  init(
    base: Base, primes: WritableKeyPath<Base.State, FavoritePrimes.State>,
    activity: WritableKeyPath<Base.State, Activity.State>
  ) {
    self.base = base
    self.primes = primes
    self.activity = activity
  }

  /// Runs the other reducer and appends what happened.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let primesBefore = state[keyPath: primes].primes
    let userBefore = state[keyPath: activity].user
    let effect = base.reduce(into: &state, action: action)
    let primesAfter = state[keyPath: primes].primes
    let userAfter = state[keyPath: activity].user

    var happened: [(Activity.Kind, user: Activity.User?)] = []
    if userBefore?.id != userAfter?.id || userBefore?.name != userAfter?.name {
      if let userBefore { happened.append((.loggedOut(userBefore.name), userBefore)) }
      if let userAfter { happened.append((.loggedIn(userAfter.name), userAfter)) }
    }
    if primesBefore != primesAfter {
      let (before, after) = (Set(primesBefore), Set(primesAfter))
      for prime in primesBefore where !after.contains(prime) {
        happened.append((.removedFavoritePrime(prime), userAfter))
      }
      for prime in primesAfter where !before.contains(prime) {
        happened.append((.addedFavoritePrime(prime), userAfter))
      }
    }
    // Nothing is asked of the dependencies for an action that nothing is noted of.
    if !happened.isEmpty { state[keyPath: activity].append(happened) }
    return effect
  }
}

extension Activity.State {
  /// Appends entries, dated and with the origin of the commit, and drops the oldest.
  mutating func append(_ happened: [(Activity.Kind, user: Activity.User?)]) {
    @Dependency(\.date) var date
    @Dependency(\.origin) var origin
    for (kind, user) in happened {
      entries.append(
        Activity.Entry(
          id: nextNumber, date: date.now, origin: origin, user: user?.name, kind: kind))
      nextNumber += 1
    }
    while entries.count > Activity.mostEntries { entries.remove(at: 0) }
  }
}

extension Reducer {
  /// Writes down what becomes of the favourites and the user, whichever action changes them.
  public func activityFeed(
    primes: WritableKeyPath<State, FavoritePrimes.State>,
    activity: WritableKeyPath<State, Activity.State>
  ) -> ActivityFeed<Self> {
    ActivityFeed(base: self, primes: primes, activity: activity)
  }
}
