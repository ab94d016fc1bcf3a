import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import Testing

extension Spawned {
  @Suite("statecast: doctor, backup, restore")
  struct ToolJournalTests {
    /// Runs the tool without a daemon's folder.
    private func tool(_ words: String..., in folder: ScratchFolder) async throws -> Workshop.Run {
      try await Workshop.finish(Workshop.tool, words, in: folder)
    }

    private func increment(_ count: Int, _ connection: DaemonConnection) async throws {
      for _ in 0..<count {
        _ = try await connection.perform(WorkspaceEntry.increment("/count"))
      }
    }

    @Test(
      "A backup taken while clients write is restored: mirrors follow the history back, and go on")
    func restored() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let connection = try await daemon.connect()
      let mirror = await Workshop.mirror(connection)
      _ = try await connection.perform(WorkspaceEntry.load("count", .unsigned(0)))
      try await increment(10, connection)
      let journal = folder.file("state")
      let backup = folder.file("backup")
      let made = try await tool("backup", journal, backup, "--json", in: folder)
      #expect(made.ending == .exited(0))
      #expect(made.errors == "")
      let told = try #require(try made.lines.first)
      #expect(told["verdict"]?.string == "sound")
      #expect(told["folder"]?.string == backup)
      // Commits that the backup does not have, and that a mirror has seen.
      try await increment(5, connection)
      let (before, _) = try await connection.fetch("workspace", parameters: .text(""))
      #expect(before["count"]?.integer == 15)

      let early = try await tool("restore", backup, journal, in: folder)
      #expect(early.ending == .exited(8))
      #expect(
        early.errors == """
          Error: the journal in \(journal) is in use by another process, and nothing was changed
          Try: Stop the daemon (`statecast stop`), then restore again.

          """)
      await daemon.process.terminate()
      let restored = try await tool("restore", backup, journal, in: folder)
      #expect(restored.ending == .exited(0))
      #expect(restored.output.hasPrefix("journal   \(journal)\nverdict   sound\ncommit    "))
      #expect(restored.errors.hasPrefix("What was there is kept in \(journal)/copies/replaced-"))

      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      try await mirror.wait { $0.value["count"]?.integer == 10 }
      try await increment(1, try await daemon.connect())
      try await mirror.wait { $0.value["count"]?.integer == 11 }
      await connection.close()
      await daemon.process.terminate()
    }

    @Test("replay: what clients and effects did gives the same states again, beside the daemon too")
    func replay() async throws {
      let folder = try ScratchFolder()
      let journal = folder.file("state")
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let connection = try await daemon.connect()
      _ = try await connection.perform(WorkspaceEntry.load("count", .unsigned(0)))
      try await increment(5, connection)
      await connection.close()
      for action in ["incrementButtonTapped", "alertButtonTapped", "nthPrimeButtonTapped"] {
        let sent = try await Workshop.run("send", "counter.\(action)", in: folder)
        #expect(sent.ending == .exited(0))
      }
      let refused = try await Workshop.run("send", "favoritePrimes.save", "8", in: folder)
      #expect(refused.ending == .exited(4))
      let beside = try await tool("replay", "--verify", journal, in: folder)
      #expect(beside.ending == .exited(0))
      #expect(beside.errors == "")
      #expect(beside.output.hasPrefix("commits 1 to "))
      await daemon.process.terminate()
      let after = try await Workshop.finish(
        Workshop.daemon, ["--verify", journal], in: folder)
      #expect(after.ending == .exited(0))
      #expect(after.output.contains(" give the same states again ("))
      let behind = try await tool("replay", journal, "--verify", in: folder)
      #expect(behind.ending == .exited(0), "\(behind.errors)")
      let none = try await tool("replay", "--verify", folder.file("none"), in: folder)
      #expect(none.ending == .exited(1))
      let usage = try await tool("replay", in: folder)
      #expect(usage.ending == .exited(2))
    }

    @Test("doctor: 0 for a sound journal, 6 for a damaged one, 8 for one in use, 1 where none is")
    func doctor() async throws {
      let folder = try ScratchFolder()
      let journal = folder.file("state")
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let connection = try await daemon.connect()
      _ = try await connection.perform(WorkspaceEntry.load("count", .unsigned(0)))
      await connection.close()
      let busy = try await tool("doctor", journal, in: folder)
      #expect(busy.ending == .exited(8))
      #expect(busy.output == "")
      #expect(
        busy.errors.hasPrefix("Error: the journal in \(journal) is in use by another process"))
      await daemon.process.terminate()

      let sound = try await tool("doctor", journal, in: folder)
      #expect(sound.ending == .exited(0))
      #expect(sound.errors == "")
      #expect(sound.output.hasPrefix("journal   \(journal)\nverdict   sound\ncommit    "))
      let json = try await tool("doctor", journal, "--json", in: folder)
      let report = try #require(try json.lines.first)
      #expect(report["verdict"]?.string == "sound")
      #expect(report["findings"] == [])
      #expect(report["row"]?.integer == report["markRow"]?.integer)

      // The mark goes; and with it what says where the journal ended.
      try FileManager.default.removeItem(atPath: journal + "/journal.mark")
      let damaged = try await tool("doctor", journal, in: folder)
      #expect(damaged.ending == .exited(6))
      #expect(damaged.output.contains("\nwrong     journal.mark is missing or damaged, and only"))
      #expect(
        damaged.errors.hasPrefix(
          "Error: acknowledged commits are missing or damaged in the journal in \(journal)\n"
            + "Try: restore a backup: statecast restore BACKUP \(journal); or start the daemon once"
        ))
      let refused = try await tool("backup", journal, folder.file("backup"), in: folder)
      #expect(refused.ending == .exited(6))

      let none = try await tool("doctor", folder.path, in: folder)
      #expect(none.ending == .exited(1))
      #expect(
        none.errors.hasPrefix("Error: there is no journal in \(folder.path)\nTry: The folder"))
      let usage = try await tool("backup", journal, in: folder)
      #expect(usage.ending == .exited(2))
      #expect(usage.errors.hasPrefix("Error: the folder of the backup is missing\n"))
    }
  }
}
