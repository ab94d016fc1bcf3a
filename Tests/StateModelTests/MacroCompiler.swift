import Foundation

/// Type-checks source files as an app author's compiler would, with the macro that this test was
/// built beside.
struct MacroCompiler {
  /// What the compiler said: errors as `line:column: error: message`, and each fix-it as
  /// `fix: title -> what is written in the place`.
  private(set) var said: [String: [String]] = [:]
  /// Everything, for messages that stand in the macro's expansion.
  private(set) var output = ""

  /// Checks `sources` as one module; the keys are the files' names without `.swift`.
  init(_ sources: [String: String], arguments: [String] = []) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("statecast-macro-\(ProcessInfo.processInfo.globallyUniqueString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for (name, source) in sources {
      let file = folder.appendingPathComponent("\(name).swift")
      try "import StateModel\n\(source)\n".write(to: file, atomically: true, encoding: .utf8)
      files.append(file.path)
    }

    let log = folder.appendingPathComponent("log")
    try Data().write(to: log)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-typecheck", "-whole-module-optimization", "-swift-version", "6", "-module-name",
        "Checked",
        "-package-name", "checked",
        "-diagnostic-style", "llvm", "-I", Self.products.appendingPathComponent("Modules").path,
        "-I", Self.package.appendingPathComponent("Sources/CXXHash").path,
        "-load-plugin-executable",
        Self.products.appendingPathComponent("StateMacros-tool").path + "#StateMacros",
      ] + arguments + files.sorted()
    let handle = try FileHandle(forWritingTo: log)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    try handle.close()
    output = try String(contentsOf: log, encoding: .utf8)
    read(output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), folder)
  }

  private mutating func read(_ lines: [String], _ folder: URL) {
    for (index, line) in lines.enumerated() {
      guard line.hasPrefix(folder.path + "/"),
        let end = line.firstRange(of: ".swift:")
      else { continue }
      let name = String(line[..<end.lowerBound].dropFirst(folder.path.count + 1))
      let text = String(line[end.upperBound...])
      if let note = text.firstRange(of: " note: ") {
        // Source line, carets, then what the fix-it writes, if it is one.
        guard lines.indices.contains(index + 3), !lines[index + 3].hasPrefix("/"),
          !lines[index + 3].isEmpty
        else { continue }
        let written = lines[index + 3].trimmingCharacters(in: .whitespaces)
        said[name, default: []].append("fix: \(text[note.upperBound...]) -> \(written)")
      } else {
        let message = text.replacing(" (from macro 'Mirrored ')", with: "")
          .replacing(" (from macro 'Mirrored')", with: "")
          .replacing(" (from macro 'CasePathable ')", with: "")
          .replacing(" (from macro 'CasePathable')", with: "")
        said[name, default: []].append(message)
      }
    }
  }

  /// The folder of built products that this test runs from.
  private static var products: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  private static var package: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }
}
