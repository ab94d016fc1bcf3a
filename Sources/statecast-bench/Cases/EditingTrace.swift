import Foundation
import JSONText
import StateModel

/// A real editing session, key by key.
struct EditingTrace {
  struct Edit {
    var position: Int
    var removed: Int
    var inserted: String
  }

  var start: String
  var edits: [Edit]
  var end: String

  private static var path: String {
    (ProcessInfo.processInfo.environment["STATECAST_DATA"] ?? "../shared/data")
      + "/sveltecomponent.json.gz"
  }

  static var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  /// What is wrong where it is not there.
  static var advice: String {
    "there is no \(path); set STATECAST_DATA to the folder that has it"
  }

  /// Reads it where it lies: `STATECAST_DATA`, else `../shared/data`.
  static func load() throws -> EditingTrace {
    guard isThere else { throw BenchFailure(advice) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/zcat")
    process.arguments = [path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let json = try JSONText.parse(Array(data))
    guard let start = json["startContent"]?.string, let end = json["endContent"]?.string,
      let transactions = json["txns"]?.elements
    else { throw BenchFailure("\(path) is no editing trace") }
    let patches = transactions.flatMap { $0["patches"]?.elements.map { Array($0) } ?? [] }
    let edits = patches.compactMap { patch -> Edit? in
      guard let position = patch[0]?.integer, let removed = patch[1]?.integer,
        let inserted = patch[2]?.string
      else { return nil }
      return Edit(position: position, removed: removed, inserted: inserted)
    }
    return EditingTrace(start: start, edits: edits, end: end)
  }
}
