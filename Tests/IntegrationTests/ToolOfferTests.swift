import Composable
import Foundation
import Glibc
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  /// What `offer --exec` starts lives no longer than somebody waits for it.
  @Suite("statecast offer --exec: the command and its end")
  struct ToolOfferTests {
    let folder: ScratchFolder
    let daemon: DaemonProcess

    init() async throws {
      folder = try ScratchFolder()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
    }

    /// Offers `refresh` by a command that says its process group in the file `group`.
    private func offer(_ command: String, _ options: String...) throws -> ChildProcess {
      try ChildProcess(
        Workshop.tool,
        [
          "offer", "refresh", "--exec", "echo $$ >'\(folder.file("group"))'; \(command)",
          "--folder", folder.path, "--timeout", Workshop.patience,
        ] + options, name: "owner", in: folder)
    }

    private func handle(on client: DaemonConnection) async throws -> Handle {
      let mirror = await MirrorProbe.of("refresh", on: client)
      try await mirror.wait { HandleTests.handles($0.value).count == 1 }
      return try #require(HandleTests.handles(await mirror.value).first)
    }

    /// The group of the command, once it runs.
    private func group() async -> Int32 {
      while true {
        let text = try? String(contentsOfFile: folder.file("group"), encoding: .utf8)
        if let text, text.hasSuffix("\n"), let group = Int32(text.dropLast()) { return group }
        await Task.yield()
      }
    }

    /// Waits until nothing of a process group is left; the time limit of these tests ends a wait in
    /// vain.
    private func waitForEnd(of group: Int32) async throws {
      while Glibc.kill(-group, 0) == 0 {
        try Task.checkCancellation()
        await Task.yield()
      }
    }

    @Test(
      "At the deadline of a call the command and all that it has started are ended",
      arguments: [
        "sleep 600",
        // Deaf to SIGTERM.
        "trap '' TERM; while :; do sleep 1; done",
      ])
    func deadline(command: String) async throws {
      let owner = try offer(command)
      let client = try await daemon.connect()
      _ = try await handle(on: client)
      let run = try await Workshop.run("call", "refresh", in: folder, timeout: "1")
      #expect(run.ending == .exited(5), "\(run.errors)")
      try await waitForEnd(of: await group())
      #expect(owner.ending == nil, "\(owner.errors)")
      await client.close()
      await owner.terminate()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("A command that leaves something behind with its output is done at its own end")
    func leftBehind() async throws {
      let owner = try offer("echo '\"done\"'; sleep 600 &")
      let client = try await daemon.connect()
      let handle = try await handle(on: client)
      let end = await client.call(handle, argument: [0xF6], deadline: .seconds(600))
      #expect(end.code == .ok, "\(end.text)")
      #expect(try Value(encoded: end.result).string == "done")
      try await waitForEnd(of: await group())
      await client.close()
      await owner.terminate()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Whoever offers and is told to end ends the command first", arguments: [SIGTERM, SIGINT])
    func told(signal: Int32) async throws {
      let owner = try offer("sleep 600 & sleep 600")
      let client = try await daemon.connect()
      let handle = try await handle(on: client)
      async let call = client.call(handle, argument: [0xF6], deadline: .seconds(600))
      let group = await group()
      owner.signal(signal)
      #expect(await owner.waitUntilEnded() == .signalled(signal), "\(owner.errors)")
      try await waitForEnd(of: group)
      #expect([.gone, .cancelled].contains(await call.code))
      await client.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("A call that is cancelled ends the command")
    func cancelled() async throws {
      let owner = try offer("sleep 600")
      let client = try await daemon.connect()
      let handle = try await handle(on: client)
      let call = Task {
        await client.call(handle, argument: [0xF6], deadline: .seconds(600)).code
      }
      let group = await group()
      call.cancel()
      #expect(await call.value == .cancelled)
      try await waitForEnd(of: group)
      await client.close()
      await owner.terminate()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("What a command prints that is no UTF-8 is no result: the caller is told where")
    func notUTF8() async throws {
      let owner = try offer(#"printf 'caf\351'"#)
      let client = try await daemon.connect()
      _ = try await handle(on: client)
      let run = try await Workshop.run("call", "refresh", in: folder)
      #expect(run.ending == .exited(4))
      #expect(run.output == "")
      #expect(
        run.errors.contains(
          "printed what is not UTF-8 (byte 3): a result is JSON or a text, so let it print base64"),
        "\(run.errors)")
      await client.close()
      await owner.terminate()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("An argument larger than a pipe goes through a command that prints while it reads")
    func large() async throws {
      let owner = try offer("cat")
      let client = try await daemon.connect()
      let handle = try await handle(on: client)
      let text = String(repeating: "x", count: 500_000)
      let end = await client.call(
        handle, argument: text.encoded(), deadline: .seconds(100))
      #expect(end.code == .ok, "\(end.text)")
      #expect(try Value(encoded: end.result).string == text)
      await client.close()
      await owner.terminate()
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
