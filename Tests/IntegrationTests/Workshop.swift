import StateModel
import StatecastClient
import StatecastTesting
import Synchronization

@testable import statecast

/// What the integration tests share: the built executables, and how they are used.
enum Workshop {
  static let daemon = Products.path("statecastd")
  static let tool = Products.path("statecast")

  /// Seconds that the tool may take to find a daemon that is there: more than any machine needs.
  static let patience = "30"

  /// Mirrors a part of the workspace.
  static func mirror(
    _ connection: DaemonConnection, path: String = ""
  ) async -> MirrorProbe {
    await MirrorProbe.of("workspace", parameters: .text(path), on: connection)
  }

  /// What a run of the tool came to.
  struct Run {
    var ending: ChildProcess.Ending
    var output: String
    var errors: String

    /// The lines of standard output as JSON.
    var lines: [Value] {
      get throws {
        try output.split(separator: "\n").map { line throws in try ActionText.json(String(line)) }
      }
    }
  }

  /// Runs the tool on the daemon in `folder` until it ends.
  static func run(
    _ words: String..., in folder: ScratchFolder, timeout: String = patience,
    environment: [String: String] = [:]
  ) async throws -> Run {
    try await finish(
      tool, words + ["--folder", folder.path, "--timeout", timeout], in: folder,
      environment: environment)
  }

  /// Runs a line of shell, in which `$tool` is the tool and `$folder` the daemon's folder.
  static func shell(_ line: String, in folder: ScratchFolder) async throws -> Run {
    try await finish(
      "/bin/sh", ["-c", line], in: folder, environment: ["tool": tool, "folder": folder.path])
  }

  /// Runs anything until it ends.
  static func finish(
    _ executable: String, _ arguments: [String], in folder: ScratchFolder,
    environment: [String: String] = [:]
  ) async throws -> Run {
    let process = try ChildProcess(
      executable, arguments, name: nextName(), in: folder, environment: environment)
    let ending = await process.waitUntilEnded()
    return Run(ending: ending, output: process.output, errors: process.errors)
  }

  /// A name that no other process of these tests has.
  static func nextName() -> String {
    "process-\(names.add(1, ordering: .relaxed).newValue)"
  }

  private static let names = Atomic(0)
}
