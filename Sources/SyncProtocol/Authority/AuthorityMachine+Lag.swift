internal import StateModel

/// Where a session's mirrors were when it told last.
struct ToldPositions {
  var at: Moment
  var numbers: [(view: ViewRef, number: CommitNumber)]
  /// How many commits they were behind what had been published a beat before.
  var behind: UInt64
}

/// How far behind clients are: from what they tell with each `alive`, and never a commit, which would
/// make somebody fall behind.
extension AuthorityMachine {
  /// Notes where the mirrors of a session are.
  mutating func noteLag(_ slot: Int, _ alive: Alive) {
    // What was published within the last beat may be on its way.
    let beatAgo = now - timing.busyBeat
    var told = ToldPositions(at: now, numbers: [], behind: 0)
    for (topic, number) in alive.numbers {
      guard told.numbers.count < limits.viewsPerSession, let found = views.find(topic),
        let view = views[found], view.isPublished
      else { continue }
      told.numbers.append((views.ref(found), number))
      told.behind = max(
        told.behind, view.kept.number(at: beatAgo, now: view.number).distance(from: number))
    }
    sessions[slot].told = told
  }

  /// How many commits the mirror of a session that is furthest behind is behind; nil where it has no
  /// mirror, or has not told yet.
  func lag(of session: Session) -> UInt64? {
    guard session.isAttached, let told = session.told, !told.numbers.isEmpty else { return nil }
    // While it tells, what came since is on its way; who tells no more does not have it.
    if told.at + timing.alive * timing.missedAlive > now { return told.behind }
    return told.numbers.compactMap { view, number in
      views.slot(view).flatMap { views[$0] }.map { $0.number.distance(from: number) }
    }.max()
  }
}

extension CommitNumber {
  /// How many commits lie between an older one and this one; 0 where it is not older.
  fileprivate func distance(from older: CommitNumber) -> UInt64 {
    rawValue > older.rawValue ? rawValue - older.rawValue : 0
  }
}
