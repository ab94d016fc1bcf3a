import Foundation
import StatecastTesting
import Testing

/// A package of somebody else's, in `Tests/ExternalApp`: it must build on the public interface alone
/// and run.
///
/// Not among `Spawned`: building it takes its time (`make test` has done that before).
@Suite("An app in a package of its own", .timeLimit(.minutes(15)))
struct ExternalAppTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("It builds, its daemon serves, and its client acts and mirrors")
  func app() async throws {
    let folder = try ScratchFolder()
    let scratch = Self.root.appendingPathComponent(".build/external").path
    let build = try await Workshop.finish(
      "/usr/bin/env",
      [
        "swift", "build", "--package-path",
        Self.root.appendingPathComponent("Tests/ExternalApp").path, "--scratch-path", scratch,
      ], in: folder)
    try #require(build.ending == .exited(0), "\(build.output)\(build.errors)")

    let environment = [
      "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "XDG_STATE_HOME": "",
    ]
    func start() throws -> ChildProcess {
      try ChildProcess(
        scratch + "/debug/tally", [], name: "tally", in: folder, environment: environment)
    }
    var daemon = try start()
    // Waits for the daemon: what a client asks is asked again until it is there.
    let first = try await Workshop.finish(
      scratch + "/debug/tally-client", [], in: folder, environment: environment)
    #expect(
      first.output == """
        the tally is 0, last by nobody
        commit 1: the tally is 2, last by me
        refused: a tally only grows, not by -1
        the tally is 5

        """, "\(first.errors)\(daemon.errors)")
    #expect(first.ending == .exited(0))

    // Its journal is its own, and is there after a kill.
    await daemon.kill()
    daemon = try start()
    let endpoint = ["--folder", folder.file("tally"), "--timeout", Workshop.patience]
    let view = try await Workshop.finish(
      Workshop.tool, ["get", "tally", "--app", "tally", "--timeout", Workshop.patience],
      in: folder, environment: environment)
    #expect(view.output == "{\"count\":5,\"lastBy\":\"me\"}\n")
    let parity = try await Workshop.finish(Workshop.tool, ["get", "parity"] + endpoint, in: folder)
    #expect(parity.output == "false\n")

    // The client goes on from there, and ends.
    let again = try await Workshop.finish(
      scratch + "/debug/tally-client", [], in: folder, environment: environment)
    #expect(again.output.hasPrefix("the tally is 5, last by me\ncommit "), "\(again.errors)")
    #expect(
      again.output.hasSuffix(
        ": the tally is 7, last by me\nrefused: a tally only grows, not by -1\nthe tally is 10\n"))
    #expect(await daemon.terminate() == .exited(0))
  }

  /// The article's tests, and the same store under XCTest.
  @Test(
    "Rule 23: its tests pass under both frameworks, and a failure is said by whichever runs",
    arguments: ["--disable-xctest", "--disable-swift-testing"])
  func tests(framework: String) async throws {
    let folder = try ScratchFolder()
    func test(isWrong: Bool) async throws -> Workshop.Run {
      try await Workshop.finish(
        "/usr/bin/env",
        [
          "swift", "test", framework, "--package-path",
          Self.root.appendingPathComponent("Tests/ExternalApp").path, "--scratch-path",
          Self.root.appendingPathComponent(".build/external").path,
        ], in: folder, environment: ["TALLY_WRONG": isWrong ? "1" : "0"])
    }
    let passing = try await test(isWrong: false)
    #expect(passing.ending == .exited(0), "\(passing.output)\(passing.errors)")
    let failing = try await test(isWrong: true)
    #expect(failing.ending == .exited(1))
    let said = failing.output + failing.errors
    #expect(
      said.contains("The state after .add(2, by: \"Ann\") is not the expected one:"), "\(said)")
    #expect(said.contains("-   count: 3,"), "\(said)")
  }
}
