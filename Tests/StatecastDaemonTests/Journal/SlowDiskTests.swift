import SQLite
import StateModel
import StatecastClient
import StatecastDaemon
import Testing

// Beside all others under a sanitizer it has to wait for the main actor for minutes.
@Suite("A disk that is slow", .timeLimit(.minutes(15)))
@MainActor
struct SlowDiskTests {
  @Test("holds up what must be durable, and nothing else, however often")
  func slow() async throws {
    let folder = try TestFolder()
    let journal = folder.file("state")
    let rig = try await HostedRig(Shelf.FirstDaemon(), journal: journal)
    let store = try await rig.connect().store(
      "shelf", of: Shelf.First.self, action: Shelf.Action.self)
    // From the second row on it is appended by the loop itself.
    for book in ["Emma", "Persuasion"] { try await store.perform(.put(book), until: .mirrored) }
    for round in 1...4 {
      let durable = store.state.books
      let other = try Connection("\(journal)/journal.db", mode: .existing)
      try other.execute("BEGIN IMMEDIATE")
      let waiting = Task { try await store.perform(.put("Sanditon \(round)")) }
      // Who joins now is answered by a loop that somebody else goes on with.
      for _ in 0..<3 {
        let late = try await rig.connect().store(
          "shelf", of: Shelf.First.self, action: Shelf.Action.self)
        #expect(late.state.books == durable)
      }
      other.rollBack()
      _ = try await waiting.value
      try await store.perform(.put("after"), until: .mirrored)
    }
    await rig.stop()
  }
}
