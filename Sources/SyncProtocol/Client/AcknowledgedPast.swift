/// What a client's actions were acknowledged as, and which of it a rewritten history has undone.
///
/// Sessions come and go (a daemon forgets one to make room), what was promised in them does not: it is
/// remembered by commit and epoch, which another history can be held against.
struct AcknowledgedPast: Sendable {
  private struct Action: Sendable {
    var token: ActionToken
    /// Its number in the present session; the highest there is for one of an earlier session.
    var number: ActionNumber
    var commit: CommitNumber
    var epoch: Epoch
  }

  /// A daemon's run, and the commit that its first hello was answered at: what this client sent to it
  /// has later ones.
  private struct Run: Sendable {
    var epoch: Epoch
    var commit: CommitNumber
  }

  private var actions: [Action] = []
  private var lineage: Lineage?
  private var runs: [Run] = []

  /// How many answered actions can still be named when history is rewritten.
  private static let remembered = 4096
  /// How many runs of the daemon are told apart.
  private static let runsRemembered = 256

  var isEmpty: Bool { actions.isEmpty }

  /// A daemon has answered the first hello of its run.
  mutating func joined(_ run: DaemonRun, at commit: CommitNumber) {
    if run.lineage != lineage {
      lineage = run.lineage
      runs = []
    }
    // A new session in the same run.
    if runs.last?.epoch == run.epoch { return }
    if runs.count == Self.runsRemembered { runs.removeFirst() }
    runs.append(Run(epoch: run.epoch, commit: commit))
  }

  /// An action is done.
  mutating func acknowledged(_ settled: Outbox.Settled) {
    guard case .done(_, let commit?, _) = settled.resolution,
      let run = runs.last(where: { $0.commit < commit }) ?? runs.first
    else { return }
    actions.append(
      Action(token: settled.token, number: settled.number, commit: commit, epoch: run.epoch))
  }

  /// Bounds what is remembered; many at once, so that each costs a constant.
  mutating func forgetOldest() {
    if actions.count >= 2 * Self.remembered {
      actions.removeFirst(actions.count - Self.remembered)
    }
  }

  /// Another session begins: numbers mean nothing any more.
  mutating func sessionEnded() {
    for index in actions.indices { actions[index].number = .max }
  }

  /// A hello was refused since history is another one. What that has undone is named, and forgotten;
  /// what it has kept may still be undone.
  mutating func rewritten(as reply: Reply) -> [ActionToken] {
    let end = reply.header.commit
    var epochs: [EpochRecord] = []
    var last: ActionNumber = 0
    if case .hello(let answer) = reply.body {
      epochs = answer.epochs
      last = answer.last
    }
    // A daemon that tells no epochs tells of this session alone.
    func isKept(_ action: Action) -> Bool {
      if epochs.isEmpty { return action.number <= last }
      guard lineage == reply.header.lineage,
        let index = epochs.lastIndex(where: { $0.epoch == action.epoch })
      else { return false }
      return action.commit <= (index + 1 < epochs.count ? epochs[index + 1].after : end)
    }
    let undone = actions.filter { !isKept($0) }.map(\.token)
    actions = actions.filter(isKept)
    return undone
  }
}
