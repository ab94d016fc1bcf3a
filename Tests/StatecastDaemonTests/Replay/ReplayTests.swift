import Composable
import Journal
import StateModel
import SyncProtocol
import Testing

@testable import StatecastDaemon

@Suite("A replay of a journal")
struct ReplayTests {
  /// A journal that a daemon of that game would have written.
  final class Game {
    let journal: SQLiteJournal
    private var hosted: HostedApp<Dice>
    private var history: RecoveredHistory
    private var row: UInt64 = 0
    private var commit = CommitNumber.zero
    private var number: ActionNumber = 0

    init(at path: String) throws {
      var options = JournalOptions()
      options.logBytes = 64 << 10
      options.reserveBytes = 0
      var random = SystemRandomNumberGenerator()
      let (journal, recovery) = try SQLiteJournal.open(path, options: options, using: &random)
      self.journal = journal
      history = recovery.history
      hosted = HostedApp(
        reducer: Dice(), state: Dice.State(), views: [], started: .start, report: { _ in })
      try journal.save(snapshot)
    }

    var snapshot: JournalSnapshot {
      JournalSnapshot(
        row: row, commit: commit, state: hosted.state.encoded(), digest: hosted.rootDigest,
        schemaHash: hosted.schemaHash, sessions: SessionTable())
    }

    /// One row: `nil` is the start, an action of an effect is marked.
    func play(_ kinds: [CommitEntry.Kind]) throws {
      let base = commit
      var entries: [JournalEntry] = []
      for kind in kinds {
        let isClient = if case .client = kind { true } else { false }
        let entry = CommitEntry(
          kind: kind, commit: commit.next, origin: isClient ? 1 : nil,
          date: 1000 + Double(commit.rawValue), seed: 77 &+ commit.rawValue, wantsRootDelta: true)
        let performed = hosted.perform(entry)
        let isCommit = performed.code == .ok || performed.code == .noChange
        if isCommit { commit = commit.next }
        if isClient { number += 1 }
        entries.append(
          JournalEntry(
            session: isClient ? SessionID(Bytes16(high: 1, low: 1)) : nil, sessionBase: .zero,
            owner: "uid 1", number: isClient ? number : 0,
            payloadHash: Bytes16(high: 1, low: number), origin: isClient ? 1 : nil, kind: kind,
            outcome: Outcome(
              number: isClient ? number : 0, code: performed.code, commit: isCommit ? commit : nil),
            date: entry.date, seed: entry.seed, rootDelta: performed.rootDelta))
      }
      row += 1
      let result = journal.append(
        JournalRow(
          id: row, lineage: history.lineage, epoch: history.epochs[0].epoch, base: base,
          last: commit, entries: entries, rootDigest: hosted.rootDigest,
          schemaHash: hosted.schemaHash, floor: .zero), after: row - 1)
      try #require(result == .durable)
    }
  }

  static func client(_ action: Dice.Action) -> CommitEntry.Kind {
    .client(.perform(action: action.encoded()))
  }

  /// Everything that a deterministic app does: seven commits and two refusals.
  func honest(_ game: Game) throws {
    try game.play([.started])
    try game.play([Self.client(.roll), Self.client(.refuse), Self.client(.stamp)])
    try game.play([Self.client(.rollTwice)])
    try game.play([.effect(action: Dice.Action.roll.encoded(), cause: CommitNumber(rawValue: 4))])
    try game.play([Self.client(.refuse)])
    try game.play([Self.client(.stamp), Self.client(.roll)])
  }

  func replay<App: DaemonApp>(_ app: App, _ path: String) throws -> ReplayReport {
    var replay = try Replay(app, try JournalPass(path)) { _ in }
    return try replay.run()
  }

  @Test(
    "of a deterministic app gives every state again, also beside the daemon, and behind a snapshot")
  func same() throws {
    let folder = try TestFolder()
    let game = try Game(at: folder.file("store"))
    try honest(game)
    for round in 0..<2 {
      let report = try replay(DiceDaemon(), folder.file("store"))
      #expect(report.difference == nil)
      #expect(report.note == nil)
      #expect(report.actions == 9)
      #expect(report.refused == 2)
      #expect(
        report.line == "commits 1 to 7 give the same states again (9 actions run again, 2 of them "
          + "refused as before)")
      // The rows before a snapshot are run again all the same.
      if round == 0 { try game.journal.save(game.snapshot) }
    }
    game.journal.close()
    #expect(try replay(DiceDaemon(), folder.file("store")).difference == nil)
  }

  @Test("of one that is not deterministic names the first commit where it is not")
  func cheated() throws {
    let folder = try TestFolder()
    let game = try Game(at: folder.file("store"))
    try honest(game)
    try game.play([Self.client(.roll), Self.client(.cheat), Self.client(.roll)])
    try game.play([Self.client(.roll)])
    let report = try replay(DiceDaemon(), folder.file("store"))
    let difference = try #require(report.difference)
    #expect(difference.row == 7)
    #expect(difference.commit == CommitNumber(rawValue: 9))
    #expect(difference.action == "action 9 of client 1")
    #expect(difference.text.hasPrefix("the state's digest is "))
    #expect(report.last == CommitNumber(rawValue: 7))
    #expect(report.line.hasPrefix("commit 9 (row 7), action 9 of client 1: the state's digest is "))
    game.journal.close()
  }

  @Test("of another version names the first commit that it changes")
  func otherVersion() throws {
    let folder = try TestFolder()
    let game = try Game(at: folder.file("store"))
    try honest(game)
    let later = try #require(try replay(LaterDiceDaemon(), folder.file("store")).difference)
    #expect(later.commit == CommitNumber(rawValue: 3))
    #expect(later.row == 2)
    #expect(later.action == "action 3 of client 1")
    let lenient = try #require(try replay(LenientDiceDaemon(), folder.file("store")).difference)
    #expect(lenient.commit == CommitNumber(rawValue: 2))
    #expect(lenient.action == "action 2 of client 1")
    #expect(lenient.text == "it was refused (rejected), and is applied")
    game.journal.close()
  }

  @Test("begins with the snapshot where the app's initial state is not the one it began with")
  func otherInitialState() throws {
    let folder = try TestFolder()
    let game = try Game(at: folder.file("store"))
    try game.play([Self.client(.roll)])
    try game.play([Self.client(.stamp)])
    try game.journal.save(game.snapshot)
    try game.play([Self.client(.roll)])
    game.journal.close()
    let report = try replay(FullDiceDaemon(), folder.file("store"))
    #expect(report.difference == nil)
    #expect(report.base == CommitNumber(rawValue: 2))
    #expect(report.last == CommitNumber(rawValue: 3))
    #expect(
      report.note
        == "what is before commit 2 is not run again: the state that it began with is not "
        + "this version's initial one")
  }

  @Test("ends with 0, with 9 at a difference, with 1 where there is no journal")
  func endings() async throws {
    let folder = try TestFolder()
    let game = try Game(at: folder.file("store"))
    try honest(game)
    let request = try #require(
      try ReplayRequest(program: "diced", arguments: ["--verify", folder.file("store")]))
    #expect(await request.run(DiceDaemon()) == 0)
    try game.play([Self.client(.cheat)])
    #expect(await request.run(DiceDaemon()) == 9)
    game.journal.close()
    let none = try #require(
      try ReplayRequest(program: "diced", arguments: ["--verify", folder.file("none")]))
    #expect(await none.run(DiceDaemon()) == 1)
  }

  @Test(
    "is asked for in two ways",
    arguments: [
      (["replay", "--verify", "a"], "a"), (["--verify", "a"], "a"), (["--verify=a"], "a"),
      (["replay", "--verify=a"], "a"), (["--mode", "memory"], nil), ([], nil),
    ] as [([String], String?)])
  func requests(words: [String], journal: String?) throws {
    #expect(try ReplayRequest(program: "diced", arguments: words)?.journal == journal)
  }

  @Test(
    "that is asked for wrongly says so",
    arguments: [
      (["replay"], "--verify: the folder of a journal is missing"),
      (["--verify"], "--verify: the folder of a journal is missing"),
      (["replay", "--verify", "a", "b"], "b: does not go with a replay, see diced --help"),
      (["--verify", "a", "--mode"], "--mode: does not go with a replay, see diced --help"),
    ] as [([String], String)])
  func wrongRequests(words: [String], message: String) {
    let error = #expect(throws: ConfigurationError.self) {
      _ = try ReplayRequest(program: "diced", arguments: words)
    }
    #expect(error?.description == message)
  }
}
