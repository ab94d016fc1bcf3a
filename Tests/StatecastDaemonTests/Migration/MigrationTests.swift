import Foundation
import Journal
import StateModel
import StatecastClient
import SyncProtocol
import Testing

@testable import StatecastDaemon

/// A journal that one version of an app left, opened by another.
@Suite("State evolution: a journal and the versions of its app", .timeLimit(.minutes(5)))
@MainActor
struct MigrationTests {
  typealias FirstStore = RemoteStore<Shelf.First, Shelf.Action>
  typealias SecondStore = RemoteStore<Shelf.Second, Shelf.Action>

  /// Runs a version of the app on the journal, puts books there, and gives the state at the end,
  /// the commit before anything was put and what the daemon says of its start.
  func run<App: DaemonApp>(
    _ app: sending App, on journal: String, put books: [String] = []
  ) async throws -> (state: App.Root.State, start: CommitNumber, summary: String)
  where App.Root.Action == Shelf.Action {
    let rig = try await HostedRig(app, journal: journal)
    let store = try await rig.connect().store(
      "shelf", of: App.Root.State.self, action: Shelf.Action.self)
    let start = store.number
    for book in books { _ = try await store.perform(.put(book), until: .mirrored) }
    let state = store.state
    let summary = rig.summary
    await rig.stop()
    return (state, start, summary)
  }

  @Test(
    "New fields take their defaults and renamed ones are found, in a commit; what follows is kept")
  func defaultsAndAliases() async throws {
    let folder = try TestFolder()
    let journal = folder.file("state")
    _ = try await run(Shelf.FirstDaemon(), on: journal, put: ["Emma", "Persuasion"])
    let second = try await run(Shelf.SecondDaemon(), on: journal, put: ["Evelina"])
    #expect(second.start == CommitNumber(rawValue: 3))
    #expect(
      second.summary == "commit 3, 1 session, 2 epochs, the state of another version migrated by "
        + "commit 3")
    #expect(second.state.name == "mine")
    #expect(second.state.books == ["Emma", "Persuasion", "Evelina"])
    #expect(second.state.everPut == 1)
    // The rows behind the migration are changes of the migrated state.
    let again = try await run(Shelf.SecondDaemon(), on: journal, put: ["Cecilia"])
    #expect(again.start == CommitNumber(rawValue: 4))
    #expect(again.summary == "commit 4, 2 sessions, 3 epochs")
    #expect(again.state.lent == ["nothing", "Evelina", "Cecilia"])
    #expect(again.state.everPut == 2)
  }

  @Test("A state none of whose fields this version has is another app's, and is left alone")
  func foreign() throws {
    let others: Value = ["tasks": [1, 2], "theme": "dark"]
    #expect(throws: ForeignState.self) {
      try OlderState(value: others, schemaHash: 1).read(as: Shelf.Second.self)
    }
    #expect(
      "\(ForeignState())" == "it has no field that this app has: another app wrote it")
    // One that is here under its former name, and none at all.
    let titled = OlderState(value: ["title": "mine"], schemaHash: 1)
    let renamed = try titled.read(as: Shelf.Second.self)
    #expect(renamed.name == "mine")
    let empty = try OlderState(value: [:], schemaHash: 1).read(as: Shelf.Second.self)
    #expect(empty == (try Shelf.Second([:] as Value)))
  }

  @Test("What defaults and aliases cannot say is the app's to migrate", arguments: [false, true])
  func hook(byWayOfSecond: Bool) async throws {
    let folder = try TestFolder()
    let journal = folder.file("state")
    _ = try await run(Shelf.FirstDaemon(), on: journal, put: ["Emma", "Persuasion"])
    if byWayOfSecond { _ = try await run(Shelf.SecondDaemon(), on: journal, put: ["Evelina"]) }
    let third = try await run(Shelf.ThirdDaemon(), on: journal, put: ["Camilla"])
    let books = ["Emma", "Persuasion"] + (byWayOfSecond ? ["Evelina"] : [])
    #expect(third.state.name == "mine")
    #expect(third.state.shelves == ["lower": books, "upper": ["Camilla"]])
    #expect(third.state.everPut == (byWayOfSecond ? 2 : 3))
    let again = try await run(Shelf.ThirdDaemon(), on: journal)
    #expect(again.state == third.state)
  }

  /// What is in the files of a journal. SQLite makes an empty log whenever it opens one.
  func contents(_ journal: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: journal)
    where !name.hasSuffix("-shm") {
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(journal)/\(name)"))
      contents[name] = data.isEmpty ? nil : data
    }
    return contents
  }

  func refusal<App: DaemonApp>(of app: sending App, on journal: String) async -> String {
    do {
      let rig = try await HostedRig(app, journal: journal)
      await rig.stop()
      return "none"
    } catch {
      return "\(error)"
    }
  }

  func hash<State: Mirrored>(_ type: State.Type) -> String {
    Digest(rawValue: Schema(of: type).hash).description
  }

  @Test("A state that cannot be read is refused by its path, and the files stay as they were")
  func unreadable() async throws {
    let folder = try TestFolder()
    let journal = folder.file("state")
    _ = try await run(Shelf.FirstDaemon(), on: journal, put: ["Emma"])
    let before = try contents(journal)
    #expect(
      await refusal(of: Shelf.ForeignDaemon(), on: journal)
        == "the state in the journal \(journal) is not one that this version of the app reads: "
        + "books: expected an integer, found an array (it was written with the schema "
        + "\(hash(Shelf.First.self)), and this version has \(hash(Shelf.Foreign.self))). The journal "
        + "is as it was. Start the version that wrote it, or give new fields a default, renamed "
        + "ones an alias, and write 'migrate(_:)' for the rest.")
    #expect(try contents(journal) == before)
    #expect(try await run(Shelf.FirstDaemon(), on: journal).state.books == ["Emma"])
  }

  @Test("An older version does not lose what a later one wrote: it refuses, and says so")
  func downgrade() async throws {
    let folder = try TestFolder()
    let journal = folder.file("state")
    _ = try await run(Shelf.FirstDaemon(), on: journal, put: ["Emma"])
    _ = try await run(Shelf.SecondDaemon(), on: journal, put: ["Evelina"])
    let before = try contents(journal)
    #expect(
      await refusal(of: Shelf.FirstDaemon(), on: journal)
        == "the state in the journal \(journal) is not one that this version of the app reads: a "
        + "later version of the app wrote it, and this one would lose a part (it was written with "
        + "the schema \(hash(Shelf.Second.self)), and this version has \(hash(Shelf.First.self))). "
        + "The journal is as it was. Start the later version again, or restore a backup that was "
        + "made before it.")
    #expect(try contents(journal) == before)
    #expect(
      try await run(Shelf.SecondDaemon(), on: journal).state.books == ["Emma", "Evelina"])
  }

  @Test("A replay begins behind the migration: what is before it was another version's")
  func replayed() async throws {
    let folder = try TestFolder()
    let journal = folder.file("state")
    _ = try await run(Shelf.FirstDaemon(), on: journal, put: ["Emma", "Persuasion"])
    _ = try await run(Shelf.SecondDaemon(), on: journal, put: ["Evelina", "Cecilia"])
    var replay = try Replay(Shelf.SecondDaemon(), try JournalPass(journal)) {
      Issue.record("\($0)")
    }
    let report = try replay.run()
    #expect(report.difference == nil)
    #expect(report.base == CommitNumber(rawValue: 3))
    #expect(report.last == CommitNumber(rawValue: 5))
    #expect(report.actions == 2)
    #expect(
      report.note
        == "what is before commit 3 is not run again: the state was another version's")
  }
}
