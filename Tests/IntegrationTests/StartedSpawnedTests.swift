import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  @Suite("The first commit of a run")
  struct StartedTests {
    @Test("Rule 10: effects die with the daemon's run; the app's started action begins them again")
    func effects() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let client = try await daemon.connect()
      let mirror = await MirrorProbe.of("counter", on: client)
      func send(_ action: String) async throws {
        let action: Value = .map(["counter": .text(action)])
        _ = try await client.perform(Entry(.perform(action: action.encoded())))
      }
      _ = try await client.perform(
        Entry(.set(field: "counter.step", value: Value.unsigned(1_000).encoded())))
      for _ in 0..<100 { try await send("incrementButtonTapped") }
      // The question is in the journal when this returns; working it out takes longer.
      try await send("nthPrimeButtonTapped")
      let again = try await daemon.restart()
      try await mirror.wait { $0.isFresh && $0.value["answer"]?["result"]?["number"] == 1_299_709 }
      #expect(await mirror.value["question"] == .null)
      let log = try await Workshop.run("log", in: folder)
      #expect(log.output.split(separator: "\n").first?.contains("  daemon  started") == true)
      await client.close()
      #expect(await again.stop() == .exited(0), "\(again.log)")
    }
  }
}
