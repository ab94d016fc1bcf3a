import Foundation
import Testing

/// What the article for those who know The Composable Architecture shows is what is tested here.
@Suite("The article on coming from The Composable Architecture")
struct ComingArticleTests {
  @Test(
    "Each of its files is among these tests, word for word",
    arguments: ["Groceries.swift", "GroceriesTests.swift"])
  func block(file: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let article = try String(
      contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(
          "Sources/Composable/Composable.docc/ComingFromTheComposableArchitecture.md"),
      encoding: .utf8)
    let shown = article.matches(of: /\n`([^`\n]+\.swift)`\n\n```swift\n([\s\S]*?)```\n/)
      .filter { $0.1 == file }.map { String($0.2) }
    let own = try String(
      contentsOf: folder.appendingPathComponent("Groceries/\(file)"), encoding: .utf8)
    #expect(shown == [own], "copy the file into the article, or the article into the file")
  }
}
