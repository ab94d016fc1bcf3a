import Composable
import Foundation
import JSONText
import Showcase
import StateModel
import TestSupport
import Testing

@Suite("Workspace: a real editing session")
struct EditingTraceTests {
  @Test(
    "two thousand edits of a file, each its own action, give the text that they give on a string",
    .enabled(if: TestData.isPresent, TestData.hint))
  func editingSession() throws {
    let trace = try JSONText.parse(TestData.unpacked("sveltecomponent.json.gz"))
    var plain = Array(try #require(trace["startContent"]?.string).utf8)
    var core = ReducerCore(Workspace())
    var state = Workspace.State(documents: ["f": ["text": trace["startContent"] ?? ""]])
    var mirror = state
    var count = 0
    edits: for transaction in try #require(trace["txns"]?.elements) {
      for patch in try #require(transaction["patches"]?.elements) {
        let offset = try #require(patch[0]?.integer)
        let removed = try #require(patch[1]?.integer)
        let inserted = try #require(patch[2]?.string)
        let before = state
        let cascade = core.perform(
          .edit(path: "/f/text", offset: offset, removed: removed, inserted: inserted), on: &state)
        try #require(cascade.rejection == nil)
        plain.replaceSubrange(offset..<offset + removed, with: inserted.utf8)
        try mirror.apply(state.delta(from: before))
        count += 1
        if count == 2_000 { break edits }
      }
    }
    #expect(count == 2_000)
    #expect(state.documents["f"]?["text"]?.string == String(decoding: plain, as: UTF8.self))
    #expect(plain.count > 1_024)
    #expect(mirror.isIdentical(to: state))
    #expect(mirror.digest == state.digest)
  }
}
