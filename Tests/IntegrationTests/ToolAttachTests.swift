import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  @Suite("statecast: attached in a terminal")
  struct ToolAttachTests {
    private static let increment = Entry(
      .perform(
        action: Value.map(["counter": .text("incrementButtonTapped")]).encoded()))

    @Test("Actions are typed and completed, others' changes print above what is being typed")
    func attach() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let other = try await daemon.connect()
      let terminal = try Conversation(
        Workshop.tool, ["attach", "counter", "--folder", folder.path], at: .terminal,
        name: "attach", in: folder)
      try await terminal.wait(
        for: "Attached to counter. TAB completes, ? helps, Ctrl-D leaves.\r\n")
      try await terminal.wait(for: "counter at ")

      terminal.type("counter.incrementButtonTapped\r")
      try await terminal.wait(for: "counter/count: 0 → 1")

      // Half a word stands at the prompt while another process changes the state.
      terminal.type("counter.dec")
      try await terminal.wait(for: "counter.dec")
      _ = try await other.perform(Self.increment)
      try await terminal.wait(for: "counter/count: 1 → 2")
      try await terminal.wait(for: "\r\n")
      try await terminal.wait(for: "counter.dec")

      terminal.type("\t")
      try await terminal.wait(for: "rementButtonTapped")
      terminal.type("\r")
      try await terminal.wait(for: "counter/count: 2 → 1")

      // Several fit: all are listed.
      terminal.type("counter.is\t\r")
      terminal.type("favoritePrimes.\t")
      try await terminal.wait(for: "favoritePrimes.save  favoritePrimes.remove")
      // Ctrl-Space at the beginning of a line is a zero byte, and no wish to leave.
      terminal.type("\u{15}\u{0}")

      terminal.type("counter.step = 7\r")
      try await terminal.wait(for: "counter/step: 1 → 7")
      terminal.type("favoritePrimes.save 8\r")
      try await terminal.wait(
        for: "-- the action was not applied: invalid: 8 is no prime: only primes can be favourites")
      terminal.type("3\r")
      try await terminal.wait(for: "-- There is nothing to answer.")
      terminal.type("?\r")
      try await terminal.wait(for: "counter.step = VALUE sets a field")

      terminal.type("\u{4}")
      #expect(await terminal.process.waitUntilEnded() == .exited(0), "\(terminal.transcript)")
      await other.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test(
      "Ctrl-D that was typed before the terminal was taken leaves, after what was typed before it")
    func typedAhead() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let terminal = try Conversation(
        Workshop.tool, ["attach", "counter", "--folder", folder.path], at: .terminal,
        name: "attach", in: folder)
      // The terminal still collects lines: the process has hardly begun.
      terminal.type("set counter.step 7\n\u{4}")
      try await terminal.wait(for: "-- done (commit ")
      #expect(await terminal.process.waitUntilEnded() == .exited(0), "\(terminal.transcript)")
      let other = try await Workshop.run("get", "counter", in: folder)
      #expect(other.output.contains("\"step\":7"))
      await daemon.process.terminate()
    }

    @Test("A view that is not there is no prompt, but an error")
    func unknownView() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let terminal = try Conversation(
        Workshop.tool, ["attach", "primes", "countr", "--folder", folder.path], at: .terminal,
        name: "attach", in: folder)
      #expect(await terminal.process.waitUntilEnded() == .exited(4), "\(terminal.transcript)")
      try await terminal.wait(for: "Error: there is no view countr; did you mean counter?\r\n")
      try await terminal.wait(for: "Try: `statecast views` lists what the daemon offers.\r\n")
      #expect(!terminal.transcript.contains("> "), "\(terminal.transcript)")
      await daemon.process.terminate()
    }

    @Test("Whoever leaves while the daemon is not there leaves at once, and is told what is open")
    func leftUnanswered() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let terminal = try Conversation(
        Workshop.tool, ["attach", "counter", "--folder", folder.path], at: .terminal,
        name: "attach", in: folder)
      try await terminal.wait(for: "counter at ")
      await daemon.process.kill()
      try await terminal.wait(for: "-- The daemon is not heard any more; waiting for it.")
      terminal.type("counter.incrementButtonTapped\r")
      try await terminal.wait(for: "counter.incrementButtonTapped\r\n")
      try await terminal.wait(for: "-- The daemon is away: this waits for it for 5 seconds.")
      // Each would wait for its answer: with all of them that is minutes.
      for _ in 0..<50 { terminal.type("counter.incrementButtonTapped\r") }
      terminal.type("\u{4}")
      try await terminal.wait(for: "-- Lines that were not sent: ")
      #expect(await terminal.process.waitUntilEnded() == .exited(0), "\(terminal.transcript)")
    }

    @Test("A daemon that is killed and comes back is told of, and the terminal goes on")
    func daemonKilled() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let terminal = try Conversation(
        Workshop.tool, ["attach", "counter", "--folder", folder.path], at: .terminal,
        name: "attach", in: folder)
      try await terminal.wait(for: "counter at ")
      await daemon.process.kill()
      try await terminal.wait(for: "-- The daemon is not heard any more; waiting for it.")
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      terminal.type("counter.incrementButtonTapped\r")
      try await terminal.wait(for: "counter/count: 0 → 1")
      terminal.type("\u{4}")
      #expect(await terminal.process.waitUntilEnded() == .exited(0), "\(terminal.transcript)")
      await daemon.process.terminate()
    }
  }
}
