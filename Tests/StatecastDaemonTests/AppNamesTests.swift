import Testing

@testable import StatecastDaemon

@Suite("The names that an app gives itself and its views")
struct AppNamesTests {
  /// What is said of it; nil where nothing is.
  private func said(_ check: () throws(HostFailure) -> Void) -> String? {
    do throws(HostFailure) {
      try check()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "An app's name leads out of no folder",
    arguments: ["", ".", "..", "../evil", "my/kanban", ".a"])
  func app(name: String) {
    #expect(
      said { () throws(HostFailure) in try AppNames.check(app: name) } == """
        "\(name)" cannot be the name of an app: it names folders. Let 'name' have 1 to 64 of \
        A-Z a-z 0-9 . _ -, the first no dot.
        """)
  }

  @Test("Each view can be asked for")
  func views() {
    #expect(said { () throws(HostFailure) in try AppNames.check(app: "kanban-2.b_c") } == nil)
    #expect(said { () throws(HostFailure) in try AppNames.check(views: ["a", "b.c"]) } == nil)
    #expect(
      said { () throws(HostFailure) in try AppNames.check(views: ["a", ""]) }
        == "\"\" cannot be the name of a view. Let it have 1 to 64 of A-Z a-z 0-9 . _ -.")
    #expect(
      said { () throws(HostFailure) in try AppNames.check(views: ["board", "a", "board"]) }
        == "two views are named board, and only one could be had. Give each in 'views' a name of its "
        + "own.")
  }
}
