import SyncProtocol
import Testing

@Suite("Rule 17: which sets of bindings are under way")
struct PendingSetsTests {
  private let field: [UInt8] = [1]
  private let other: [UInt8] = [2]

  /// The machine by reference: what changes it cannot stand in `#expect`.
  private final class Sets {
    private var sets = PendingSets()
    var isEmpty: Bool { sets.isEmpty }
    func shown(_ field: [UInt8]) -> PendingSets.Setting? { sets.shown(field) }
    func set(_ value: UInt8, in field: [UInt8] = [1]) -> PendingSets.Setting? {
      sets.set(field, action: [0, value], value: [value], name: "field")
    }
    func flush() -> [PendingSets.Setting] { sets.flush() }
    func reached(_ id: UInt64, in field: [UInt8]) -> Bool { sets.reached(id, in: field) }
    func answered(_ id: UInt64, in field: [UInt8], isDone: Bool) -> PendingSets.Consequence {
      sets.answered(id, in: field, isDone: isDone)
    }
  }

  @Test("A set is sent and shown; it is shown until the mirror has reached it, not only answered")
  func one() throws {
    let sets = Sets()
    #expect(sets.isEmpty)
    let first = try #require(sets.set(5))
    #expect(first.value == [5])
    #expect(sets.shown(field)?.value == [5])
    #expect(sets.answered(first.id, in: field, isDone: true) == .init())
    #expect(sets.shown(field)?.value == [5], "the old value would flash")
    #expect(sets.reached(first.id, in: field))
    #expect(sets.isEmpty)
  }

  @Test("One unanswered set a field: the newest takes the place of what waits, and goes out next")
  func newest() throws {
    let sets = Sets()
    let first = try #require(sets.set(1))
    #expect(sets.set(2) == nil)
    #expect(sets.set(3) == nil)
    #expect(sets.set(9, in: other)?.value == [9], "another field waits for nobody")
    #expect(sets.shown(field)?.value == [3])
    let next = try #require(sets.answered(first.id, in: field, isDone: true).next)
    #expect(next.value == [3])
    #expect(!sets.reached(first.id, in: field), "a newer one is shown")
    #expect(sets.shown(field)?.value == [3])
    #expect(sets.answered(next.id, in: field, isDone: true) == .init())
    #expect(sets.reached(next.id, in: field))
    #expect(sets.shown(field) == nil)
    #expect(sets.shown(other)?.value == [9])
  }

  @Test("A refused set rolls back, but not what was set after it")
  func refused() throws {
    let sets = Sets()
    let first = try #require(sets.set(1))
    #expect(
      sets.answered(first.id, in: field, isDone: false) == .init(next: nil, isShownAnew: true))
    #expect(sets.isEmpty)

    let second = try #require(sets.set(2))
    #expect(sets.set(3) == nil)
    let consequence = sets.answered(second.id, in: field, isDone: false)
    #expect(consequence.next?.value == [3])
    #expect(!consequence.isShownAnew)
    #expect(sets.shown(field)?.value == [3])
  }

  @Test("What is sent next overtakes nothing: the sets that wait go out before, in their order")
  func flush() throws {
    let sets = Sets()
    let first = try #require(sets.set(1))
    let firstOther = try #require(sets.set(1, in: other))
    _ = sets.set(2, in: other)
    _ = sets.set(3)
    let flushed = sets.flush()
    #expect(flushed.map(\.value) == [[2], [3]])
    #expect(sets.flush() == [])
    #expect(sets.set(4) == nil, "two are unanswered now")
    #expect(sets.answered(first.id, in: field, isDone: true) == .init())
    #expect(sets.answered(flushed[1].id, in: field, isDone: true).next?.value == [4])
    #expect(sets.answered(firstOther.id, in: other, isDone: true) == .init())
    #expect(sets.answered(flushed[0].id, in: other, isDone: true) == .init())
    #expect(sets.reached(flushed[0].id, in: other))
  }

  @Test("An answer to what is over changes nothing")
  func late() {
    let sets = Sets()
    #expect(sets.answered(1, in: field, isDone: false) == .init())
    #expect(!sets.reached(1, in: field))
  }
}
