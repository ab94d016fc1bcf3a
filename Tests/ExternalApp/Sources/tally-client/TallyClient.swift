import StateModel
import StatecastClient
import TallyFeature

/// Counts a little, and shows what its mirror holds.
@main
struct TallyClient {
  static func main() async throws {
    let connection = try await DaemonConnection(.user(daemon: "tally"))
    let store = try await connection.store(
      "tally", of: Tally.State.self, action: Tally.Action.self)
    print("the tally is \(store.count), last by \(store.lastBy ?? "nobody")")

    let receipt = try await store.perform(.add(2, by: "me"), until: .mirrored)
    print(
      "commit \(receipt.commit): the tally is \(store.count), last by \(store.lastBy ?? "nobody")")

    do {
      try await store.perform(.add(-1, by: "me"))
    } catch {
      print("refused: \(error.message)")
    }

    // Whoever else is counting may be quicker: the number is then higher.
    let goal = store.count + 3
    store.send(.add(3, by: "me"))
    for await value in store.values where value.count >= goal {
      print("the tally is \(value.count)")
      break
    }
    await connection.close()
  }
}
