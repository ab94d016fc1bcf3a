import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing
import ZeroMQ

@testable import statecast

extension Spawned {
  @Suite("statecast: exit codes and what it says")
  struct ToolFailureTests {
    @Test(
      "The command line is not understood: 2, before anything is done",
      arguments: [
        (["frobnicate"], "there is no command frobnicate"),
        (["wacth", "counter"], "there is no command wacth; did you mean watch?"),
        (["stat"], "there is no command stat; did you mean status?"),
        (["get", "counter", "--jsn"], "there is no option --jsn; did you mean --json?"),
        (["get", "counter", "--timeout"], "--timeout needs a value"),
        (["get", "counter", "--json=1"], "--json takes no value"),
        (
          ["get", "counter", "--timeout", "--json"],
          "--timeout needs a value, and --json is an option"
        ),
        (
          ["get", "counter", "--folder", "--timeout=3"],
          "--folder needs a value, and --timeout=3 is an option"
        ),
        (["-v"], "there is no option -v; a word that begins with - goes behind --"),
      ])
    func usage(words: [String], message: String) async throws {
      let folder = try ScratchFolder()
      let run = try await Workshop.finish(Workshop.tool, words, in: folder)
      #expect(run.ending == .exited(2))
      #expect(run.output == "")
      #expect(run.errors == "Error: \(message)\nTry: `statecast --help` lists the commands.\n")
    }

    @Test(
      "A command is not used as it is: 2, and how it is used",
      arguments: [
        (["get"], "the name of a view is missing", "VIEW [PARAMETERS]"),
        (["get", "a", "b", "c"], "c is one word too many", "VIEW [PARAMETERS]"),
        (
          ["get", "counter", "--timeout", "soon"], "--timeout takes a number of seconds, not soon",
          "VIEW [PARAMETERS]"
        ),
        (
          ["watch", "counter", "--count", "0"], "--count takes a number above 0, not 0",
          "VIEW [PARAMETERS]"
        ),
        (
          ["mirror", "counter", "--until", "x"], "--until takes a commit, not x",
          "VIEW [PARAMETERS]"
        ),
        (
          ["send", "counter..x"], "counter..x is no action: write JSON, or cases joined by dots",
          "ACTION [PAYLOAD]"
        ),
        (["send", "{}", "1"], "an action in JSON takes no further word", "ACTION [PAYLOAD]"),
        (["views", "x"], "x is one word too many", ""),
        (["replay"], "--verify and the folder of a journal are missing", "--verify JOURNAL"),
        (
          ["replay", "--verify"], "--verify and the folder of a journal are missing",
          "--verify JOURNAL"
        ),
        (
          ["replay", "j"],
          "--verify is missing: it runs the journal's actions to see that they give its states",
          "--verify JOURNAL"
        ),
        (["replay", "j", "k", "--verify"], "k is one word too many", "--verify JOURNAL"),
        (
          ["get", "x", "--requests", "garbage"],
          "--requests takes an endpoint: \"garbage\" is none; "
            + "write it like ipc:///path or tcp://127.0.0.1:port", "VIEW [PARAMETERS]"
        ),
        (
          ["get", "x", "--publications", "tcp://127.0.0.1"],
          "--publications takes an endpoint: \"tcp://127.0.0.1\" has no host and port; "
            + "write tcp://127.0.0.1:port", "VIEW [PARAMETERS]"
        ),
        (
          ["get", "x", "--requests", "tcp://127.0.0.1:70000"],
          "--requests takes an endpoint: \"tcp://127.0.0.1:70000\" has no host and port; "
            + "write tcp://127.0.0.1:port", "VIEW [PARAMETERS]"
        ),
        (
          ["get", "x", "--requests", "ipc://here"],
          "--requests takes an endpoint: \"ipc://here\" has no absolute path; write ipc:///path",
          "VIEW [PARAMETERS]"
        ),
        (
          ["get", "x", "--app", "a/b"], "--app takes the name of an app, not \"a/b\"",
          "VIEW [PARAMETERS]"
        ),
        // An option that a command does not take is not left out of account.
        (["log", "--count", "3"], "log takes no --count; watch and offer do", "[COMMIT]"),
        (
          ["log", "--journal", "x", "--count", "3"], "log takes no --count; watch and offer do",
          "[COMMIT]"
        ),
        (["get", "a", "--until", "3"], "get takes no --until; mirror does", "VIEW [PARAMETERS]"),
        (["log", "--journal", ""], "--journal takes a folder, not \"\"", "[COMMIT]"),
        (["edit", "no/path"], nil, "PATH"),
      ] as [([String], String?, String)])
    func commandUsage(words: [String], message: String?, usage: String) async throws {
      let folder = try ScratchFolder()
      let run = try await Workshop.finish(Workshop.tool, words, in: folder)
      #expect(run.ending == .exited(2))
      #expect(run.output == "")
      let command = usage.isEmpty ? words[0] : "\(words[0]) \(usage)"
      let advice = "\nTry: statecast \(command) (`statecast \(words[0]) --help` says more)\n"
      if let message {
        #expect(run.errors == "Error: \(message)\(advice)")
      } else {
        #expect(run.errors.hasPrefix("Error: no/path is no path: "))
        #expect(run.errors.hasSuffix(advice))
      }
    }

    @Test("An app's daemon is found by its name; one that is not there is not statecastd")
    func app() async throws {
      let folder = try ScratchFolder()
      let environment = ["XDG_RUNTIME_DIR": folder.path]
      let none = try await Workshop.finish(
        Workshop.tool, ["get", "x", "--app", "tally"], in: folder, environment: environment)
      #expect(none.ending == .exited(3))
      #expect(
        none.errors == """
          Error: no daemon answers at ipc://\(folder.path)/tally/requests
          Try: Start the daemon (statecastd: `statecast up`), or name another endpoint.

          """)
      let started = try await Workshop.finish(
        Workshop.tool, ["up", "--app", "tally"], in: folder, environment: environment)
      #expect(started.ending == .exited(2))
      #expect(
        started.errors == """
          Error: up starts statecastd, not the daemon of tally
          Try: Start that by its program; `statecast attach --app tally` attaches to it.

          """)
    }

    @Test("What is quoted on the terminal moves no cursor there")
    func quotesSafely() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let run = try await Workshop.run("get", "a\u{1B}[2Jb", in: folder)
      #expect(run.ending == .exited(4))
      #expect(!run.errors.contains("\u{1B}"))
      #expect(run.errors.contains("a\\u{1b}[2Jb"))
      await daemon.process.terminate()
    }

    @Test("A payload that is no JSON: 2, and how to quote it")
    func payload() async throws {
      let folder = try ScratchFolder()
      let run = try await Workshop.finish(Workshop.tool, ["send", "a.b", "{x"], in: folder)
      #expect(run.ending == .exited(2))
      #expect(run.errors.hasPrefix("Error: {x is not JSON: "))
      #expect(
        run.errors.hasSuffix("\nTry: Quote it for the shell: '{\"name\": 1}', '\"text\"', 5.\n"))
    }

    @Test("Something here is at fault: 1")
    func failure() async throws {
      let folder = try ScratchFolder()
      let missing = folder.file("missing.json")
      let load = try await Workshop.run("load", "a", missing, in: folder)
      #expect(load.ending == .exited(1))
      #expect(load.errors.hasPrefix("Error: \(missing) cannot be read: "))
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let attach = try await Workshop.run("attach", in: folder)
      #expect(attach.ending == .exited(1))
      #expect(attach.output == "")
      #expect(
        attach.errors == """
          Error: this is no terminal
          Try: Use `statecast watch` and `statecast send`.

          """)
      await daemon.process.terminate()
    }

    @Test(
      "No daemon: 3, and how to start one",
      arguments: [
        ["get", "counter"], ["watch", "counter"], ["mirror", "counter"], ["send", "counter.x"],
        ["set", "a", "1"], ["views"], ["schema"], ["status"], ["who"], ["log"], ["attach"],
        ["edit", "/a"],
      ])
    func unreachable(words: [String]) async throws {
      let folder = try ScratchFolder()
      let run = try await Workshop.finish(
        Workshop.tool, words + ["--folder", folder.path, "--timeout", "0.05"], in: folder)
      #expect(run.ending == .exited(3))
      #expect(run.output == "")
      #expect(
        run.errors == """
          Error: no daemon answers at ipc://\(folder.path)/requests
          Try: Start the daemon (statecastd: `statecast up`), or name another endpoint.

          """)
    }

    @Test("A socket that a killed daemon left behind is no daemon: nobody waits for it to answer")
    func stale() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let endpoints = DaemonEndpoints(folder: folder.path)
      #expect(endpoints.isThere)
      await daemon.process.kill()
      #expect(FileManager.default.fileExists(atPath: folder.file("requests")))
      #expect(!endpoints.isThere)
      let run = try await Workshop.finish(
        Workshop.tool, ["get", "counter", "--folder", folder.path], in: folder)
      #expect(run.ending == .exited(3))
      #expect(
        run.errors.hasPrefix("Error: no daemon answers at ipc://\(folder.path)/requests\n"))
    }

    @Test("The daemon refuses: 4, and nothing was changed")
    func refused() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let unknown = try await Workshop.run("send", "counter.jump", in: folder)
      #expect(unknown.ending == .exited(4))
      #expect(unknown.output == "")
      #expect(unknown.errors.hasPrefix("Error: the action was not applied: unknown-action: "))
      let near = try await Workshop.run("send", "counter.incrementButtonTaped", in: folder)
      #expect(near.errors.contains("; did you mean counter.incrementButtonTapped?\n"))
      for own in ["started", "counter.started"] {
        let forbidden = try await Workshop.run("send", own, in: folder)
        #expect(forbidden.ending == .exited(4))
        #expect(
          forbidden.errors.hasPrefix(
            "Error: the action was not applied: forbidden: this client may not send that action\n"))
      }
      let rejected = try await Workshop.run("send", "favoritePrimes.save", "8", in: folder)
      #expect(rejected.ending == .exited(4))
      #expect(
        rejected.errors == """
          Error: the action was not applied: invalid: 8 is no prime: only primes can be favourites
          Try: It takes: send favoritePrimes.save number

          """)
      await daemon.process.terminate()
    }

    @Test("The outcome is not known: 5, which is not what a refusal is")
    func unknown() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let proxy = try await FaultProxy.start(to: daemon.endpoints, in: folder)
      // What asks for an action's outcome never arrives; all else does.
      let kinds: [[UInt8]] = [[0x63] + Array("act".utf8), [0x67] + Array("outcome".utf8)]
      await proxy.dropNext(1000, .request) { frames in
        frames.contains { frame in
          kinds.contains { kind in
            frame.indices.contains { frame[$0...].starts(with: kind) }
          }
        }
      }
      let start = ContinuousClock.now
      let run = try await Workshop.finish(
        Workshop.tool,
        [
          "send", "counter.incrementButtonTapped", "--requests", proxy.endpoints.requests,
          "--publications", proxy.endpoints.publications, "--timeout", "5",
        ], in: folder)
      // It took twice as long, and never less: as long again was waited for what became of it.
      #expect(start.duration(to: .now) < .seconds(10))
      #expect(run.ending == .exited(5), "\(run.errors)")
      #expect(run.output == "")
      #expect(
        run.errors.hasPrefix("Error: whether the action was applied is not known: "))
      await proxy.stop()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("help COMMAND is that command's, as COMMAND --help; of none that there is, an error")
    func helpOfOne() async throws {
      let folder = try ScratchFolder()
      let one = try await Workshop.finish(Workshop.tool, ["help", "mirror"], in: folder)
      let other = try await Workshop.finish(Workshop.tool, ["mirror", "--help"], in: folder)
      #expect(one.ending == .exited(0) && other.ending == .exited(0))
      #expect(one.output == other.output)
      #expect(one.output.contains("mirror VIEW [PARAMETERS]"))
      #expect(!one.output.contains("attach"))
      let none = try await Workshop.finish(Workshop.tool, ["help", "mirrors"], in: folder)
      #expect(none.ending == .exited(2))
      #expect(none.errors.hasPrefix("Error: there is no command mirrors"))
    }

    @Test("--help lists every command, on standard output")
    func help() async throws {
      let folder = try ScratchFolder()
      let run = try await Workshop.finish(Workshop.tool, ["--help"], in: folder)
      #expect(run.ending == .exited(0))
      for command in [
        "up", "attach", "get", "watch", "mirror", "send", "set", "offer", "call", "views", "schema",
        "status", "who", "log", "load", "edit", "stop", "doctor", "backup", "restore", "replay",
      ] {
        #expect(run.output.contains("\n  \(command) "))
      }
      #expect(
        run.output.contains(
          "Exit codes: 0 done, 1 failure here, 2 usage, 3 no daemon, 4 refused, 5 outcome unknown,\n"
            + "10 the handle that was called is gone;\n"
            + "of a journal: 6 damaged, 7 of a newer version, 8 in use, 9 gives other states when replayed."
        ))
    }
  }
}
