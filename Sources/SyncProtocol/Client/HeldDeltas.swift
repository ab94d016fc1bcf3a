internal import StateModel

/// Publications that arrive while a mirror waits for what comes before them.
///
/// Bounded in bytes: beyond that all are dropped, which is a gap like any other.
struct HeldDeltas: Sendable {
  private(set) var publications: [Publication] = []
  private(set) var bytes = 0
  /// Some were dropped: whatever the mirror gets, it has to ask for what came after.
  private(set) var overflowed = false

  /// The daemon's run whose publications these are: another one's numbers mean something else.
  private var run: DaemonRun?

  /// What a held publication costs beyond its delta.
  private static let overhead = 128

  mutating func hold(_ publication: Publication, limit: Int) {
    let heard = DaemonRun(lineage: publication.lineage, epoch: publication.epoch)
    if run != heard {
      self = HeldDeltas()
      run = heard
    }
    guard !overflowed else { return }
    bytes += publication.delta.bytes.count + Self.overhead
    if bytes > limit {
      publications = []
      bytes = 0
      overflowed = true
    } else {
      publications.append(publication)
    }
  }

  /// Gives what is held of a run, and begins anew.
  mutating func take(of run: DaemonRun) -> (publications: [Publication], overflowed: Bool) {
    defer { self = HeldDeltas() }
    return self.run == run ? (publications, overflowed) : ([], false)
  }
}
