import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import Testing

extension Spawned {
  /// Faults that people met at the edges of the commands.
  @Suite("statecast at its edges")
  struct ToolEdgesTests {
    @Test(
      "Who offers and is told to end says goodbye: the handle and the name are gone at once",
      arguments: [SIGTERM, SIGINT, SIGHUP])
    func goodbye(signal: Int32) async throws {
      let folder = try ScratchFolder()
      // Whoever only falls silent stays listed for longer than a test may take.
      let daemon = try await DaemonProcess.start(
        Workshop.daemon, in: folder, isDurable: false,
        arguments: ["--timing-cut-gone", "1h", "--timing-missed-gone", "1000"])
      let client = try await daemon.connect()
      let refresh = await MirrorProbe.of("refresh", on: client)
      let presence = await MirrorProbe.of("presence", on: client)
      let owner = try ChildProcess(
        Workshop.tool,
        [
          "offer", "refresh", "--name", "list", "--folder", folder.path, "--timeout",
          Workshop.patience,
        ], name: "owner", in: folder)
      try await refresh.wait { $0.value["handles"]?.elements?.count == 1 }
      owner.signal(signal)
      #expect(await owner.waitUntilEnded() == .signalled(signal), "\(owner.errors)")
      try await refresh.wait { $0.value["handles"]?.elements?.count == 0 }
      try await presence.wait { $0.value["clients"]?.elements?.count == 0 }
      await client.close()
      await daemon.process.terminate()
    }

    @Test(
      "Without a terminal up starts no daemon where it is told: it says so, with what does",
      arguments: ["folder", "state-directory", "mode", "config"])
    func upWithoutTerminal(option: String) async throws {
      let folder = try ScratchFolder()
      let run = try await Workshop.finish(
        Workshop.tool, ["up", "--\(option)", folder.file("x")], in: folder)
      #expect(run.ending == .exited(2))
      #expect(run.output == "")
      #expect(
        run.errors == """
          Error: without a terminal up plays a session in a folder of its own, and takes no --\(option)
          Try: Start the daemon by itself: statecastd --\(option) \(folder.file("x"))

          """)
      #expect(!FileManager.default.fileExists(atPath: folder.file("x")))
    }

    @Test("A commit that does not come is waited for as long as an answer, and no longer")
    func mirrorUntil() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let run = try await Workshop.finish(
        Workshop.tool, ["mirror", "counter", "--until", "1000000", "--folder", folder.path],
        in: folder)
      #expect(run.ending == .exited(1))
      #expect(
        run.errors.hasPrefix("Error: the mirror of counter did not reach commit 1000000 in time: "))
      #expect(
        run.errors.hasSuffix(
          "\nTry: Give it longer with --timeout, or name a commit that there is.\n"))
      await daemon.process.terminate()
    }

    @Test("A mirror shows a commit that was not about its view")
    func mirrorUntilElsewhere() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let first = try await Workshop.run("set", "settings.volume", "1", in: folder)
      let commit = try #require(Int(first.output.split(separator: "\n").first ?? ""))
      async let mirror = Workshop.finish(
        Workshop.tool,
        ["mirror", "counter", "--until", "\(commit + 3)", "--timeout", "60"]
          + ["--folder", folder.path], in: folder)
      // It waits by the time of the last of them.
      for volume in 2...4 {
        _ = try await Workshop.run("set", "settings.volume", "\(volume)", in: folder)
      }
      let run = try await mirror
      #expect(run.ending == .exited(0), "\(run.errors)")
      #expect(run.output.contains("\"count\":0"))
      await daemon.process.terminate()
    }

    @Test("To stop a daemon that is not there: 3, and nobody is told to start one")
    func stopStopped() async throws {
      let folder = try ScratchFolder()
      let run = try await Workshop.finish(
        Workshop.tool, ["stop", "--folder", folder.path], in: folder)
      #expect(run.ending == .exited(3))
      #expect(
        run.errors == """
          Error: no daemon answers at ipc://\(folder.path)/requests
          Try: Nothing is to be stopped there; name another daemon with --folder, --app or --requests.

          """)
    }

    @Test("Several that stop a daemon at once have all stopped it")
    func stopAtOnce() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      // Nobody is answered before all have found it: each watches its process from then on.
      daemon.process.signal(SIGSTOP)
      let run = try await Workshop.shell(
        """
        for i in 1 2 3 4 5 6; do "$tool" stop --folder "$folder" & all="$all $!"; done
        for p in $all; do until ls -l /proc/$p/fd | grep -q pidfd; do :; done; done
        kill -CONT \(daemon.process.pid)
        for p in $all; do wait $p; echo $?; done
        """, in: folder)
      #expect(run.output == String(repeating: "0\n", count: 6), "\(run.errors)")
      #expect(await daemon.process.waitUntilEnded() == .exited(0))
    }

    @Test(
      "A view whose parameter is missing: 2, and how it is given", arguments: ["get", "mirror"])
    func missingParameter(command: String) async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(
        "SeedsDaemon", in: folder, environment: ["SEED": "workroom"])
      let run = try await Workshop.run(command, "job", in: folder)
      #expect(run.ending == .exited(2), "\(run.output)")
      #expect(
        run.errors == """
          Error: the view job takes a parameter: number
          Try: statecast \(command) job PARAMETER (`statecast views` lists what each takes).

          """)
      let given = try await Workshop.run(command, "job", "1", in: folder)
      #expect(given.ending == .exited(0), "\(given.errors)")
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("A document's name that is refused: 4, and what is to be changed is the name")
    func loadName() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let file = folder.file("a.json")
      try "{}".write(toFile: file, atomically: true, encoding: .utf8)
      let run = try await Workshop.run("load", "", file, in: folder)
      #expect(run.ending == .exited(4))
      #expect(
        run.errors == """
          Error: the action was not applied: invalid: a document's name has 1 to 256 bytes, not 0
          Try: Choose another name for the document.

          """)
      await daemon.process.terminate()
    }

    @Test("A journal that takes nothing: 4, the action is not done, and why")
    func fullDisk() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(
        Workshop.daemon, in: folder, arguments: ["--journal-reserve-bytes", "1024GiB"])
      let run = try await Workshop.run(
        "send", "counter.incrementButtonTapped", in: folder, timeout: "1")
      #expect(run.ending == .exited(4), "\(run.errors)")
      #expect(
        run.errors.hasPrefix(
          "Error: the action was not applied: no-space: the journal takes nothing (the disk of "))
      #expect(
        run.errors.hasSuffix(
          "\nTry: Mend that (the daemon goes on by itself), and send it again.\n"))
      await daemon.process.terminate()
    }

    @Test("A journal's folder that is not there, and one that is to replace itself: said so")
    func journals() async throws {
      let folder = try ScratchFolder()
      let missing = folder.file("nothing")
      for command in [["doctor", missing], ["backup", missing, folder.file("b")]] {
        let run = try await Workshop.finish(Workshop.tool, command, in: folder)
        #expect(run.ending == .exited(1))
        #expect(
          run.errors == """
            Error: there is no folder \(missing)
            Try: The folder that the daemon was given with --state-directory; its log names it.

            """)
      }
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      await daemon.process.terminate()
      let state = folder.file("state")
      let same = try await Workshop.finish(
        Workshop.tool, ["restore", state, state + "/../state"], in: folder)
      #expect(same.ending == .exited(1))
      #expect(
        same.errors == """
          Error: \(state) is the backup and the journal that it is to replace, and nothing was changed
          Try: Name the folder of a backup first, then the journal's.

          """)
    }

    @Test("What a test has started ends with the test's process, however that ends")
    func killedTest() async throws {
      let path = "/tmp/statecast-held-\(UInt32.random(in: .min ... .max))"
      defer { unlink(path) }
      try #require(mkfifo(path, 0o600) == 0)
      let heard = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(heard) }
      await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
        let folder = try ScratchFolder()
        let child = try ChildProcess(
          "/bin/sh", ["-c", "exec 3>\(path); echo held; exec sleep 600"], name: "x", in: folder)
        while child.output.isEmpty { await Task.yield() }
        kill(getpid(), SIGTERM)
        _ = await child.waitUntilEnded()
      }
      // Nobody holds the other end any more.
      var item = pollfd(fd: heard, events: Int16(POLLIN), revents: 0)
      #expect(poll(&item, 1, 20_000) == 1)
      #expect(Int32(item.revents) & POLLHUP != 0)
    }
  }
}
