import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

@testable import statecast

extension Spawned {
  @Suite("Alerts between processes")
  struct ToolAlertTests {
    private func alert(_ connection: DaemonConnection) async throws -> ShownAlert {
      try #require(ShownAlert.first(in: try await connection.fetch("counter").value))
    }

    @Test(
      "Rule 21: one process puts an alert up, another shows and answers it; a late answer is told so"
    )
    func answered() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let late = try await daemon.connect()
      let terminal = try Conversation(
        Workshop.tool, ["attach", "counter", "--folder", folder.path], at: .terminal,
        name: "attach", in: folder)
      try await terminal.wait(for: "counter at ")

      let asking = try await Workshop.run("send", "counter.alertButtonTapped", in: folder)
      #expect(asking.ending == .exited(0), "\(asking.errors)")
      let alert = try await alert(late)
      for line in [
        "== Count?\r\n", "   Everybody sees this alert, and the first answer counts.\r\n",
        "   1) Cancel\r\n", "   2) Increment\r\n", "   3) Decrement\r\n", "   0) dismiss\r\n",
      ] {
        try await terminal.wait(for: line)
      }
      terminal.type("9\r")
      try await terminal.wait(for: "-- Answer with 1 to 3, or 0 to dismiss.")
      terminal.type("2\r")
      try await terminal.wait(for: "counter/count: 0 → 1")
      try await terminal.wait(for: "-- It was answered.")

      // The other client saw the alert, and chooses too late.
      let failure = await #expect(throws: ActionFailure.self) {
        try await late.perform(Entry(.answer(alert: alert.id, button: 2)))
      }
      #expect(failure?.code == .alreadyAnswered)
      #expect(failure?.message.contains("answered first, in commit ") == true)
      #expect(failure?.isCertain == true)
      let value = try await late.fetch("counter").value
      #expect(value["count"]?.integer == 1)
      #expect(ShownAlert.first(in: value) == nil)

      terminal.type("\u{4}")
      #expect(await terminal.process.waitUntilEnded() == .exited(0), "\(terminal.transcript)")
      await late.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test(
      "Rule 21: after a restart a late answer is to a question that is gone; one that is up is not")
    func restarted() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let client = try await daemon.connect()
      let ask = Entry(
        .perform(action: Value.map(["counter": .text("alertButtonTapped")]).encoded()))
      _ = try await client.perform(ask)
      let first = try await alert(client)
      _ = try await client.perform(Entry(.answer(alert: first.id, button: nil)))
      _ = try await client.perform(ask)
      let second = try await alert(client)
      #expect(first.id != second.id)
      await daemon.process.kill()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let failure = await #expect(throws: ActionFailure.self) {
        try await client.perform(Entry(.answer(alert: first.id, button: 1)))
      }
      #expect(failure?.code == .gone)
      _ = try await client.perform(Entry(.answer(alert: second.id, button: 1)))
      #expect(try await client.fetch("counter").value["count"]?.integer == 1)
      await client.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
