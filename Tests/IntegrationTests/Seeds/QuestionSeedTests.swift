import Composable
import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  @Suite("Third seed, between processes")
  @MainActor
  struct QuestionSeedTests {
    @Test(
      "Rules 5 and 21: one client puts a dialog up, another answers it, both see it go; a late answer fails"
    )
    func answered() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "question"])
      let asking = try await daemon.testStore(
        "seed", of: Question.State.self, action: Question.Action.self)
      let answering = try await daemon.testStore(
        "seed", of: Question.State.self, action: Question.Action.self)
      let views = [asking, answering].map { QuestionView(store: $0.store) }
      views[0].tapDialog()
      for store in [asking, answering] {
        await store.receive(until: { $0.confirmationDialog != nil })
      }
      for view in views {
        #expect(view.title == "Which way?")
        #expect(view.buttons == ["Not now", "Up", "Down"])
      }

      let id = Value(of: try #require(answering.state.confirmationDialog?.id)).encoded()
      _ = try await answering.store.connection.perform(Entry(.answer(alert: id, button: 2)))
      for store in [asking, answering] {
        // Its action and its dismissal are one commit: no publication shows the one without the other.
        await store.receive {
          $0.count = -1
          $0.confirmationDialog = nil
          $0.alert = AlertState(title: "Went down")
        }
      }
      for view in views { #expect(view.title == "Went down") }
      let late = await #expect(throws: ActionFailure.self) {
        try await asking.store.connection.perform(Entry(.answer(alert: id, button: 1)))
      }
      #expect(late?.code == .alreadyAnswered)

      // Dismissed through the store of the alert alone, which is the daemon's like the whole.
      views[1].dismissAlert()
      for store in [asking, answering] { await store.receive { $0.alert = nil } }
      for view in views { #expect(view.title == nil) }
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }
  }
}
