import Foundation
import StatecastTesting
import Testing

extension Spawned {
  /// libedit's own handlers ran on whatever thread the signal came to, also while the editor ended.
  @Suite("statecast: the terminal under an attached client")
  struct ToolTerminalTests {
    let folder: ScratchFolder
    let daemon: DaemonProcess

    init() async throws {
      folder = try ScratchFolder()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
    }

    private func attach(_ name: String) throws -> Conversation {
      try Conversation(
        Workshop.tool, ["attach", "counter", "--folder", folder.path], at: .terminal, name: name,
        in: folder)
    }

    @Test("A terminal that is closed is left as with Ctrl-D, at every moment, fifty times")
    func hungUp() async throws {
      for index in 0..<50 {
        let terminal = try attach("attach-\(index)")
        // While it begins, at its first prompt, with a line half typed, and while one is answered.
        if index % 4 > 0 { try await terminal.wait(for: "counter at ") }
        if index % 4 > 1 { terminal.type("counter.incr") }
        if index % 4 > 2 { terminal.type("ementButtonTapped\r") }
        terminal.hangUp()
        let ending = await terminal.process.waitUntilEnded()
        if index % 4 > 0 {
          #expect(ending == .exited(0), "\(index): \(terminal.transcript)")
        } else {
          // Before there is an editor the signal has its usual effect.
          #expect(
            [.exited(0), .exited(1), .signalled(SIGHUP)].contains(ending), "\(terminal.transcript)")
        }
      }
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test(
      "A signal that ends it leaves the terminal as it was, and nothing behind the line begun",
      arguments: [SIGINT, SIGTERM, SIGQUIT])
    func ended(signal: Int32) async throws {
      let terminal = try attach("attach")
      let before = terminal.settings
      try await terminal.wait(for: "counter at ")
      terminal.type("counter.incr")
      try await terminal.wait(for: "counter.incr")
      #expect(terminal.settings != before, "it edits")
      if signal == SIGINT { terminal.type("\u{3}") } else { terminal.process.signal(signal) }
      #expect(await terminal.process.waitUntilEnded() == .signalled(signal))
      #expect(terminal.settings == before)
      try await terminal.wait(for: "\r\n")
      #expect(!terminal.transcript.contains("is stale"), "\(terminal.transcript)")
      // It said goodbye, whatever ended it; what it said last may still be on its way.
      while try await !Workshop.run("who", in: folder).output.isEmpty {}
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("A terminal of another size goes on, with the line as it was typed")
    func resized() async throws {
      let terminal = try attach("attach")
      try await terminal.wait(for: "counter at ")
      terminal.type("counter.step")
      try await terminal.wait(for: "counter.step")
      terminal.process.signal(SIGWINCH)
      try await terminal.wait(for: "\r\u{1B}[J> counter.step")
      terminal.type(" = 7\r")
      try await terminal.wait(for: "counter/step: 1 → 7")
      // Stopped and gone on, as by a shell: that may have had the terminal meanwhile.
      terminal.process.signal(SIGSTOP)
      terminal.process.signal(SIGCONT)
      try await terminal.wait(for: "\r\u{1B}[J> ")
      terminal.type("\u{4}")
      #expect(await terminal.process.waitUntilEnded() == .exited(0), "\(terminal.transcript)")
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
