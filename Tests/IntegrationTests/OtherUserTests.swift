import Foundation
import Glibc
import StateModel
import StatecastTesting
import SyncProtocol
import Testing

private let setpriv = "/usr/bin/setpriv"
private let canBecomeOthers = getuid() == 0 && access(setpriv, X_OK) == 0

extension Spawned {
  /// Another user of the machine at the daemon's socket: what the kernel says of him decides.
  ///
  /// Needs a root that may become others, as in a container; elsewhere `PeerPolicyTests` has the rule.
  @Suite("Another user's client", .enabled(if: canBecomeOthers))
  struct OtherUserTests {
    private static let allowed: UInt32 = 65534
    private static let stranger: UInt32 = 65533

    /// Runs the tool as another user, from a place where he may read it.
    private func run(
      as user: UInt32, _ words: String..., in folder: ScratchFolder, timeout: String = "30"
    ) async throws -> Workshop.Run {
      try await Workshop.finish(
        setpriv,
        ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", folder.file("tool")] + words
          + ["--folder", folder.path, "--timeout", timeout], in: folder)
    }

    @Test(
      "may look and act where the configuration allows it, but stops no daemon; others get nothing")
    func roles() async throws {
      let folder = try ScratchFolder()
      chmod(folder.path, 0o711)
      try FileManager.default.copyItem(atPath: Workshop.tool, toPath: folder.file("tool"))
      chmod(folder.file("tool"), 0o755)
      let daemon = try await DaemonProcess.start(
        Workshop.daemon, in: folder, isDurable: false,
        arguments: ["--allowed-uids", "\(Self.allowed)"])

      let sent = try await run(
        as: Self.allowed, "send", "counter.incrementButtonTapped", in: folder)
      #expect(sent.ending == .exited(0), "\(sent.errors)")
      let seen = try await run(as: Self.allowed, "get", "counter", in: folder)
      #expect(try seen.lines.first?["count"] == 1)
      let stop = try await run(as: Self.allowed, "stop", in: folder)
      #expect(stop.ending == .exited(4))
      #expect(
        stop.errors.hasPrefix(
          "Error: the daemon refuses: forbidden, stopping the daemon needs the admin role, yours is "
            + "`act`\n"), "\(stop.errors)")

      let refused = try await run(as: Self.stranger, "get", "counter", in: folder, timeout: "1")
      #expect(refused.ending == .exited(3))
      #expect(refused.output == "")
      // The daemon's own user is its admin.
      #expect(try await Workshop.run("stop", in: folder).ending == .exited(0))
      #expect(await daemon.process.waitUntilEnded() == .exited(0), "\(daemon.log)")
    }
  }
}
