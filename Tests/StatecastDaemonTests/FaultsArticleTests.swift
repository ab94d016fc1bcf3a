import Foundation
import Testing

@Suite("The table of faults")
struct FaultsArticleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// `suite: beginning of a test's name`, from the last column of every row.
  private static func named() throws -> [(file: String, test: String)] {
    let article = root.appending(
      path: "Sources/StatecastDaemon/StatecastDaemon.docc/Faults.md")
    let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasPrefix("| fault") }
    return rows.flatMap { row in
      (row.split(separator: "|").last ?? "").split(separator: ";").compactMap { named in
        guard let colon = named.firstIndex(of: ":") else { return nil }
        return (
          named[..<colon].trimmingCharacters(in: .whitespaces),
          named[named.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        )
      }
    }
  }

  @Test("Every test that it names is there")
  func exist() throws {
    let named = try Self.named()
    #expect(named.count > 50)
    let tests = FileManager.default.enumerator(
      at: Self.root.appending(path: "Tests"), includingPropertiesForKeys: nil)
    var sources: [String: String] = [:]
    while let file = tests?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      // A suite may go on in `Suite+Topic.swift`.
      let suite = file.deletingPathExtension().lastPathComponent.prefix { $0 != "+" }
      sources[String(suite), default: ""] += (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
    for (file, test) in named {
      #expect(sources[file]?.contains("\"" + test) == true, "\(file): \(test)")
    }
  }
}
