import Foundation

/// Counts instructions by running the machines under valgrind: a virtual machine may have no
/// counters of its own, and valgrind's do not depend on what else runs.
enum Instructions {
  /// Of an action at both ends; nil where there is no valgrind.
  static func perAction(batch: Int) throws -> Double? {
    guard let valgrind = Programs.path("valgrind"), let strip = Programs.path("strip") else {
      Notice.say(
        "instructions are not counted: there is no valgrind or no strip. "
          + "Try: sudo apt-get install valgrind binutils")
      return nil
    }
    let folder = try BenchFolder()
    let copy = folder.path + "/statecast-bench"
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    // Without debug information, which valgrind would read for minutes.
    _ = try output(of: strip, ["-g", "-o", copy, own])
    // The difference of two runs: without what happens once.
    let counts = [6400 / batch / (batch == 1 ? 8 : 1), 12_800 / batch / (batch == 1 ? 8 : 1)]
    let totals = try counts.map { count -> Double in
      let said = try output(
        of: valgrind,
        [
          "--tool=callgrind", "--callgrind-out-file=/dev/null", copy, "hot-steps", "memory",
          "\(batch)", "\(count)",
        ])
      guard let total = collected(said) else {
        throw BenchFailure("valgrind counted nothing: \(said)")
      }
      return total
    }
    return (totals[1] - totals[0]) / Double((counts[1] - counts[0]) * batch)
  }

  /// The number in callgrind's line `Collected : 123`; nil if there is none.
  static func collected(_ text: String) -> Double? {
    text.split(separator: "\n").first { $0.contains("Collected :") }?
      .split(separator: " ").last.flatMap { Double($0) }
  }

  private static func output(of program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchFailure("\(program) ended with \(process.terminationStatus): \(text)")
    }
    return text
  }
}
