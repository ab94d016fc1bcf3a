import Foundation
import StatecastTesting
import Testing

extension Spawned {
  @Suite("statecast attach as a job of a shell")
  struct ToolJobTests {
    @Test("Ctrl-Z gives the shell its terminal, and fg goes on with the line as it was typed")
    func stopped() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let shell = try Conversation(
        "/bin/bash", ["--norc", "--noediting", "-i"], at: .terminal, name: "shell", in: folder,
        environment: [
          "PS1": "shell$ ", "tool": Workshop.tool, "folder": folder.path,
        ])
      try await shell.wait(for: "shell$ ")
      let before = shell.settings
      shell.type("$tool attach counter --folder $folder\n")
      try await shell.wait(for: "counter at ")
      shell.type("counter.step")
      try await shell.wait(for: "counter.step")
      shell.type("\u{1A}")
      try await shell.wait(for: "Stopped")
      try await shell.wait(for: "shell$ ")
      #expect(shell.settings == before)
      // In the background it stops again, and leaves the terminal to the shell.
      shell.type(
        "p=$(jobs -p); bg; until grep -q 'T (stopped)' /proc/$p/status; do :; done; echo $((40 + 2))\n"
      )
      try await shell.wait(for: "42\r\n")
      try await shell.wait(for: "shell$ ")
      #expect(shell.settings == before)
      shell.type("fg\n")
      try await shell.wait(for: "> counter.step")
      shell.type(" = 9\r")
      try await shell.wait(for: "counter/step: 1 → 9")
      shell.type("\u{4}")
      try await shell.wait(for: "shell$ ")
      #expect(shell.settings == before)
      shell.type("exit\n")
      #expect(await shell.process.waitUntilEnded() == .exited(0), "\(shell.transcript)")
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
