import Foundation
import StatecastTesting
import Testing

extension Spawned {
  /// A journal whose reserve is more than any disk here has free takes nothing, as on a full disk.
  @Suite("statecast: a daemon whose disk is full")
  struct ToolFullDiskTests {
    /// In GiB; the largest that there may be.
    private static let reserve = 1024

    /// Whether less than that is free.
    private static var isFull: Bool {
      let attributes = try? FileManager.default.attributesOfFileSystem(
        forPath: NSTemporaryDirectory())
      let free = (attributes?[.systemFreeSize] as? NSNumber)?.uint64Value ?? .max
      return free >> 30 < UInt64(reserve)
    }

    @Test(
      "An action and an offer end at their time with the reason; what only reads is answered",
      .enabled("the disk has more free than a reserve may be") { isFull })
    func full() async throws {
      let folder = try ScratchFolder()
      // The journal is made while there is room.
      let first = try await DaemonProcess.start(Workshop.daemon, in: folder)
      #expect(await first.stop() == .exited(0))
      let daemon = try await DaemonProcess.start(
        Workshop.daemon, in: folder,
        arguments: ["--journal-reserve-bytes", "\(Self.reserve)GiB"])
      let start = ContinuousClock.now
      let send = try await Workshop.run(
        "send", "counter.incrementButtonTapped", in: folder, timeout: "4")
      // It took twice as long, and never less.
      #expect(start.duration(to: .now) < .seconds(8))
      #expect(send.ending == .exited(4))
      #expect(send.output == "")
      #expect(
        send.errors.hasPrefix(
          "Error: the action was not applied: no-space: the journal takes nothing (the disk of "),
        "\(send.errors)")
      let offer = try await Workshop.run("offer", "door", in: folder, timeout: "2")
      #expect(offer.ending == .exited(4))
      #expect(
        offer.errors.hasPrefix(
          "Error: the daemon does not take the handle door so far: no-space, "),
        "\(offer.errors)")
      #expect(offer.errors.hasSuffix("\nTry: Mend that, and offer it again.\n"))
      let get = try await Workshop.run("get", "counter", in: folder)
      #expect(get.ending == .exited(0))
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
