import Foundation
import Testing

/// What the article on writing an app shows is what `Tests/ExternalApp` holds.
@Suite("The article on writing an app")
struct ArticleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The blocks of Swift that follow a line with nothing but a file's name.
  private static let blocks = Result {
    let article = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/StatecastDaemon/StatecastDaemon.docc/WritingAnApp.md"), encoding: .utf8)
    return article.matches(of: /\n`([^`\n]+\.swift)`\n\n```swift\n([\s\S]*?)```\n/).map {
      (file: String($0.1), text: String($0.2))
    }
  }

  @Test(
    "Each of its files is in the package, word for word",
    arguments: [
      "Package.swift", "Sources/TallyFeature/Tally.swift", "Sources/tally/TallyDaemon.swift",
      "Sources/tally-client/TallyClient.swift", "Tests/TallyTests/TallyTests.swift",
      "Tests/TallyTests/TestStoreFailures.swift", "Tests/TallyCaseTests/TallyCaseTests.swift",
    ])
  func block(file: String) throws {
    let shown = try Self.blocks.get().filter { $0.file == file }
    let path = Self.root.appendingPathComponent("Tests/ExternalApp/\(file)")
    #expect(
      shown.map(\.text) == [try String(contentsOf: path, encoding: .utf8)],
      "copy the file into the article, or the article into the file")
  }

  /// Who copies all that is shown has what the manifest asks for.
  @Test("Each target of its manifest has a file")
  func targets() throws {
    let blocks = try Self.blocks.get()
    let manifest = try #require(blocks.first { $0.file == "Package.swift" }?.text)
    let targets = manifest.matches(
      of: /\.(target|executableTarget|testTarget)\(\n +name: "([^"]+)"/)
    #expect(targets.count == 5)
    for target in targets {
      let folder = "\(target.1 == "testTarget" ? "Tests" : "Sources")/\(target.2)/"
      #expect(blocks.contains { $0.file.hasPrefix(folder) }, "nothing is shown of \(target.2)")
    }
  }

  @Test("It shows no other files")
  func noOthers() throws { #expect(try Self.blocks.get().count == 7) }
}
