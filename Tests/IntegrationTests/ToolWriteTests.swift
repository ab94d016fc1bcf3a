import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

@testable import statecast

extension Spawned {
  @Suite("statecast: changing")
  struct ToolWriteTests {
    let folder: ScratchFolder
    let daemon: DaemonProcess

    init() async throws {
      folder = try ScratchFolder()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
    }

    private func value(_ path: String) async throws -> Value {
      let client = try await daemon.connect()
      let value = try await client.fetch("workspace", parameters: .text(path)).value
      await client.close()
      return value
    }

    @Test("send takes an action in short and as JSON, and prints its commit")
    func send() async throws {
      let begun = try await Workshop.run("send", "counter.incrementButtonTapped", in: folder)
      let first = try #require(UInt64(begun.output.dropLast()))
      #expect(begun.errors == "")
      let json = try await Workshop.run(
        "send", #"{"counter": "incrementButtonTapped"}"#, in: folder)
      #expect(json.output == "\(first + 1)\n")
      let payload = try await Workshop.run(
        "send", "workspace.load", #"{"name": "a", "document": [1, 2.5]}"#, in: folder)
      #expect(payload.output == "\(first + 2)\n")
      let remove = try await Workshop.run("send", "favoritePrimes.remove", "[7]", in: folder)
      #expect(remove.output == "\(first + 3) no-change\n")
      #expect(try await Workshop.run("get", "counter", in: folder).output.contains("\"count\":2"))
      #expect(try await value("/a").isIdentical(to: .array([.unsigned(1), .float(2.5)])))
    }

    @Test("set changes a field, and says which there are")
    func set() async throws {
      #expect(try await Workshop.run("set", "counter.step", "5", in: folder).ending == .exited(0))
      #expect(try await Workshop.run("get", "counter", in: folder).output.contains("\"step\":5"))
      let count = try await Workshop.run("set", "counter.count", "5", in: folder)
      #expect(count.ending == .exited(4))
      #expect(
        count.errors == """
          Error: the action was not applied: not-settable: counter.count may not be set from \
          outside; there are counter.step, settings.file, settings.theme, settings.volume, \
          settings.displayName, settings.isNotifying, tasks.task.ID.title, tasks.task.ID.isDone
          Try: `statecast schema` shows what can be sent.

          """)
    }

    @Test(
      "load puts a large real document into the workspace, piece by piece",
      .enabled(if: FileManager.default.fileExists(atPath: ToolWriteTests.languages)))
    func load() async throws {
      let run = try await Workshop.run("load", "languages", Self.languages, in: folder)
      #expect(run.ending == .exited(0))
      let commits = run.output.split(separator: "\n").compactMap { UInt64($0) }
      #expect(commits.count > 1)
      #expect(commits == (0..<UInt64(commits.count)).map { commits[0] + $0 })
      let data = try Data(contentsOf: URL(fileURLWithPath: Self.languages))
      let document = try ActionText.json(String(decoding: data, as: UTF8.self))
      #expect(try await value("/languages").isIdentical(to: document))
    }

    private static let languages = "/usr/share/iso-codes/json/iso_639-3.json"

    @Test("load reads standard input, and says where what it read is no JSON")
    func loadFromStandardInput() async throws {
      let good = try await Workshop.shell(
        "echo '{\"a\": [true]}' | \"$tool\" load piped - --folder \"$folder\"", in: folder)
      #expect(good.ending == .exited(0))
      #expect(try await value("/piped").isIdentical(to: .map(["a": .array([.bool(true)])])))
      let bad = try await Workshop.shell(
        "echo '{\"a\": tru}' | \"$tool\" load piped - --folder \"$folder\"", in: folder)
      #expect(bad.ending == .exited(1))
      #expect(bad.output == "")
      #expect(bad.errors.hasPrefix("Error: standard input is not JSON: "))
      #expect(bad.errors.hasSuffix("\nTry: Mend what was piped in.\n"))
    }

    @Test("load reads whatever can be read: a pipe that has a name, and a process's output")
    func loadFromPipe() async throws {
      let run = try await Workshop.shell(
        "mkfifo \"$folder/pipe\" && (echo '[1, 2]' >\"$folder/pipe\" &) && "
          + "\"$tool\" load pipe \"$folder/pipe\" --folder \"$folder\" && "
          + "echo '[3]' | \"$tool\" load stdin /dev/stdin --folder \"$folder\"", in: folder)
      #expect(run.ending == .exited(0), "\(run.errors)")
      #expect(try await value("/pipe").isIdentical(to: .array([.unsigned(1), .unsigned(2)])))
      #expect(try await value("/stdin").isIdentical(to: .array([.unsigned(3)])))
    }

    /// A script that stands for the user's editor.
    private func editor(_ line: String) throws -> [String: String] {
      let path = folder.file("editor-\(Workshop.nextName())")
      try "#!/bin/sh\n\(line)\n".write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      return [
        "EDITOR": path, "VISUAL": path, "tool": Workshop.tool, "folder": folder.path,
      ]
    }

    @Test("edit hands a value to the editor and sends what came back")
    func edit() async throws {
      let client = try await daemon.connect()
      _ = try await client.perform(
        WorkspaceEntry.load("doc", .map(["text": .text("höre rain"), "list": .array([])])))
      await client.close()
      let value = try await Workshop.run(
        "edit", "/doc/list", in: folder, environment: try editor("echo '[1, {}]' > \"$1\""))
      #expect(value.ending == .exited(0), "\(value.errors)")
      #expect(try await self.value("/doc/list").isIdentical(to: .array([.unsigned(1), .map([:])])))
      let text = try await Workshop.run(
        "edit", "/doc/text", in: folder, environment: try editor("sed -i s/rain/snow/ \"$1\""))
      #expect(text.ending == .exited(0), "\(text.errors)")
      #expect(try await self.value("/doc/text").string == "höre snow")
      let same = try await Workshop.run(
        "edit", "/doc/text", in: folder, environment: try editor("true"))
      #expect(same.ending == .exited(0))
      #expect(same.output == "")
      #expect(same.errors == "Nothing was changed.\n")
    }

    @Test("edit overwrites nothing that somebody else changed meanwhile")
    func editConflict() async throws {
      let client = try await daemon.connect()
      _ = try await client.perform(WorkspaceEntry.load("n", .unsigned(1)))
      await client.close()
      let run = try await Workshop.run(
        "edit", "/n", in: folder,
        environment: try editor(
          "\"$tool\" send workspace.increment '{\"path\": \"/n\", \"by\": 1}' --folder \"$folder\""
            + " > /dev/null; echo 9 > \"$1\""))
      #expect(run.ending == .exited(4))
      #expect(run.errors.contains("conflict: the value is not the expected one any more"))
      let kept = try #require(run.errors.split(separator: " ").last?.dropLast(2))
      #expect(try String(contentsOfFile: String(kept), encoding: .utf8) == "9\n")
      try FileManager.default.removeItem(atPath: String(kept))
      #expect(try await value("/n").integer == 2)
    }

    @Test("edit says why nothing was sent: an editor that fails, or no JSON")
    func editFails() async throws {
      let client = try await daemon.connect()
      _ = try await client.perform(WorkspaceEntry.load("n", .unsigned(1)))
      await client.close()
      let environment = try editor("exit 3")
      let failed = try await Workshop.run("edit", "/n", in: folder, environment: environment)
      #expect(failed.ending == .exited(1))
      #expect(
        failed.errors == """
          Error: the editor \(environment["EDITOR"] ?? "") ended with 3
          Try: Nothing was changed.

          """)
      let bad = try await Workshop.run(
        "edit", "/n", in: folder, environment: try editor("echo '{' > \"$1\""))
      #expect(bad.ending == .exited(1))
      #expect(bad.errors.hasPrefix("Error: what was written is not JSON: "))
      let kept = try #require(bad.errors.split(separator: " ").last?.dropLast(2))
      #expect(bad.errors.contains("Try: Edit it again. Your text is kept in \(kept).\n"))
      #expect(try String(contentsOfFile: String(kept), encoding: .utf8) == "{\n")
      try FileManager.default.removeItem(atPath: String(kept))
    }

    @Test("An editor in a terminal reads from it")
    func editInTerminal() async throws {
      let client = try await daemon.connect()
      _ = try await client.perform(WorkspaceEntry.load("n", .unsigned(1)))
      let terminal = try Conversation(
        Workshop.tool, ["edit", "/n", "--folder", folder.path], at: .terminal, name: "edit",
        in: folder,
        environment: try editor("echo ready; read line < /dev/tty; echo $line > \"$1\""))
      try await terminal.wait(for: "ready")
      terminal.type("7\n")
      #expect(await terminal.process.waitUntilEnded() == .exited(0), "\(terminal.transcript)")
      #expect(try await client.fetch("workspace", parameters: .text("/n")).value.integer == 7)
      await client.close()
    }

    @Test("stop ends the daemon in order, and returns when another can be started")
    func stop() async throws {
      let run = try await Workshop.run("stop", in: folder)
      let lock = open(folder.file("lock"), O_RDONLY)
      defer { close(lock) }
      #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
      #expect(run.ending == .exited(0))
      #expect(run.output == "")
      #expect(run.errors == "The daemon is stopping.\n")
      #expect(await daemon.process.waitUntilEnded() == .exited(0))
    }
  }
}
