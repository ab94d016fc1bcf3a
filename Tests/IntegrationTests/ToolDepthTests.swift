import Foundation
import StatecastTesting
import Testing

extension Spawned {
  /// JSON that nests as deep as can be read is deeper than can be sent once it stands in an action.
  @Suite("statecast: JSON at the limit of nesting")
  struct ToolDepthTests {
    private static func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }

    @Test("What is refused for its depth is told where: typed, as a field, from a file")
    func refused() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      for levels in 254...257 {
        let send = try await Workshop.run(
          "send", "workspace.set", "{\"path\":\"/a\",\"value\":\(Self.nested(levels))}", in: folder)
        #expect(send.ending == .exited(2), "\(levels)")
        // Two cases, and the object of the payload.
        #expect(
          send.errors.hasPrefix(
            "Error: what is to be sent is too deep: line 1, column 275 (byte 274), at /value/0/0/"),
          "\(levels): \(send.errors)")
        #expect(send.errors.contains(": nested deeper than 254: flatten the value\n"))
        let set = try await Workshop.run("set", "settings.theme", Self.nested(levels), in: folder)
        #expect(set.ending == .exited(2))
        #expect(set.errors.contains(": nested deeper than 253: flatten the value\n"))
        try Data(Self.nested(levels).utf8).write(to: URL(fileURLWithPath: folder.file("deep.json")))
        let load = try await Workshop.run("load", "deep", folder.file("deep.json"), in: folder)
        #expect(load.ending == .exited(1))
        #expect(load.errors.contains("cannot be loaded: line 1, column 240 (byte 239), at /0/0/"))
      }
      // The last that can be sent: the app itself refuses it, with its reason.
      let last = try await Workshop.run(
        "send", "workspace.set", "{\"path\":\"/a\",\"value\":\(Self.nested(253))}", in: folder)
      #expect(last.ending == .exited(4))
      #expect(last.errors.contains("the value would be nested deeper than 240: flatten it"))
      // As JSON the whole is read at once.
      let whole = try await Workshop.run(
        "send", "{\"workspace\":{\"set\":{\"path\":\"/a\",\"value\":\(Self.nested(254))}}}",
        in: folder)
      #expect(whole.errors.contains(", at /workspace/set/value/0/0/"), "\(whole.errors)")
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
