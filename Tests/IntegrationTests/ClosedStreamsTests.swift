import Foundation
import StatecastTesting
import Testing

extension Spawned {
  @Suite("Started without standard streams")
  struct ClosedStreamsTests {
    /// Starts the daemon from a shell, and gives what `lsof` would say of its first descriptors.
    private func streams(
      _ redirections: String, in folder: ScratchFolder
    ) async throws -> (streams: [String], lock: String, errors: String) {
      let script = """
        '\(Workshop.daemon)' --folder "$folder" --state-directory "$folder/state" \(redirections) &
        pid=$!
        "$tool" send counter.incrementButtonTapped --folder "$folder" --timeout \(Workshop.patience)
        for number in 0 1 2; do readlink "/proc/$pid/fd/$number"; done
        tr -d '0-9' <"$folder/lock"
        kill "$pid"
        wait "$pid"
        """
      let run = try await Workshop.shell(script, in: folder)
      #expect(run.ending == .exited(0), "\(run.errors)")
      let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
      return (
        lines.dropFirst().prefix(3).map { $0.hasPrefix("/dev/null") ? "null" : "other" },
        lines.dropFirst(4).joined(), run.errors
      )
    }

    @Test("A daemon's lines go nowhere, and not into its lock, its journal or a client's socket")
    func daemon() async throws {
      let found = try await streams("<&- >&- 2>&-", in: try ScratchFolder())
      #expect(found.streams == ["null", "null", "null"])
      #expect(found.lock == "", "the lock holds the process's number alone")
    }

    @Test("A descriptor for the ready line that is not open is refused before anything is opened")
    func readyDescriptor() async throws {
      let folder = try ScratchFolder()
      let run = try await Workshop.finish(
        Workshop.daemon,
        ["--folder", folder.path, "--mode", "memory", "--ready-descriptor", "777"], in: folder)
      #expect(run.ending == .exited(1))
      #expect(
        run.errors == """
          Error: descriptor 777, which the ready line is to be written to, is not open.
          Try: Open it for the daemon (`777>FILE` in a shell), or leave out --ready-descriptor.

          """)
    }

    @Test("A tool whose output is closed has not done what it was to do: it says so")
    func toolClosed() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      for line in ["get counter", "--help", "status", "watch counter --count 1"] {
        let run = try await Workshop.shell(
          "\"$tool\" \(line) --folder \"$folder\" --timeout \(Workshop.patience) >&-", in: folder)
        #expect(run.ending == .exited(1), "\(line)")
        #expect(run.errors.hasPrefix("Error: the output cannot be written: it is closed\nTry: "))
      }
      // What is asked for by an exit code alone needs no output.
      let stop = try await Workshop.shell("\"$tool\" stop --folder \"$folder\" >&-", in: folder)
      #expect(stop.ending == .exited(0), "\(stop.errors)")
      #expect(await daemon.process.waitUntilEnded() == .exited(0))
    }

    @Test("A tool without any stream says nothing, and ends with its code")
    func tool() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let run = try await Workshop.shell(
        "\"$tool\" get counter --folder \"$folder\" <&- >&- 2>&-", in: folder)
      #expect(run.ending == .exited(1))
      #expect(run.output == "")
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
