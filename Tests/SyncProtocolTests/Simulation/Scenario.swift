import SyncProtocol

/// What differs from history to history beside the order of events, drawn from its seed.
struct Scenario: CustomStringConvertible {
  var clients: Int
  /// Random steps with faults, before the quiet end.
  var steps: Int
  /// Every epoch begins with a commit of its own.
  var wantsStarted: Bool
  /// No journal: a restart is a new lineage.
  var isMemoryMode: Bool
  var limits: Limits
  /// Of 1,000: messages lost and doubled, publications lost.
  var lost: Int
  var doubled: Int
  var unpublished: Int
  /// How far messages overtake each other.
  var reordering: Int
  /// Of 1,000 steps: a crash of the daemon.
  var crashes: Int
  /// Clients act many times at once, so that requests leave behind each other.
  var hasBursts: Bool
  /// Clients are listed, offer handles, call each other and wait for tasks.
  var hasCalls: Bool
  /// Clients set a field by bindings, which show what was set before it is done.
  var hasBindings: Bool

  init(seed: UInt64) {
    var random = SeedStream(seed: seed &* 0x2545_F491_4F6C_DD1D)
    func one<Choice>(_ choices: [Choice]) -> Choice {
      choices[Int(random.next() % UInt64(choices.count))]
    }
    clients = one([1, 2, 2, 3])
    steps = 80 + Int(random.next() % 160)
    wantsStarted = random.next() % 4 == 0
    isMemoryMode = random.next() % 10 == 0
    lost = one([0, 30, 100])
    doubled = one([0, 30, 100])
    unpublished = one([0, 0, 20, 60])
    reordering = one([1, 3, 6])
    crashes = one([0, 8, 16, 30])
    limits = Limits()
    if one([true, false]) {
      // Small enough that a value of a dozen actions is pulled in chunks, or any from the start.
      limits.publication = one([1, 8, 16, 64])
      limits.answer = one([24, 48])
      limits.chunk = one([4, 12, 20])
      limits.pinnedBytes = one([256 << 20, 256 << 20, 60])
      limits.waitingPullers = one([4096, 4096, 1])
    }
    limits.heldDeltas = one([8 << 20, 300, 600])
    limits.keptPerView = one([8 << 20, 40, 100])
    limits.sessions = one([4096, 4096, clients, clients + 1])
    limits.window = one([256, 2, 4])
    limits.entries = one([256, 2])
    limits.pinned = one([64, 1])
    limits.snapshotRows = one([4096, 3])
    hasCalls = random.next() % 3 == 0
    hasBursts = random.next() % 4 == 0
    if hasCalls { limits.mailItems = one([256, 8]) }
    hasBindings = random.next() % 4 == 0
  }

  var description: String {
    """
    \(clients) clients, \(isMemoryMode ? "memory" : "journal"), lost \(lost), doubled \(doubled), \
    unpublished \(unpublished), reordering \(reordering), crashes \(crashes), publication \
    \(limits.publication), answer \(limits.answer), chunk \(limits.chunk), held \
    \(limits.heldDeltas), kept \(limits.keptPerView), sessions \(limits.sessions), window \
    \(limits.window), entries \(limits.entries), pinned \(limits.pinned), \(hasCalls ? "calls" : "no calls"), \(hasBindings ? "bindings" : "no bindings")
    """
  }
}
