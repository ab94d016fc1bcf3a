import Testing

@testable import SyncProtocol

@Suite("Rule 21: questions that are answered by themselves")
struct QuestionDeadlinesTests {
  private func due(_ alert: UInt8, at date: Double) -> DueAnswer {
    DueAnswer(alert: [alert], button: 0, date: date)
  }

  @Test("Each is given when its time has come, and once, whatever the state says afterwards")
  func once() {
    var deadlines = QuestionDeadlines([due(1, at: 10), due(2, at: 20)])
    #expect(deadlines.next == 10)
    #expect(!deadlines.isDue(at: 9.9))
    #expect(deadlines.isDue(at: 10))
    #expect(deadlines.take(at: 10) == [due(1, at: 10)])
    #expect(deadlines.next == 20)
    // Still up: its answer was refused. It is not tried again.
    deadlines.update([due(1, at: 10), due(2, at: 20), due(3, at: 30)])
    #expect(deadlines.next == 20)
    #expect(deadlines.take(at: 99) == [due(2, at: 20), due(3, at: 30)])
    #expect(deadlines.next == nil)
    #expect(!deadlines.isDue(at: .infinity))
  }

  @Test("A question that is gone has no deadline any more")
  func gone() {
    var deadlines = QuestionDeadlines([due(1, at: 10)])
    deadlines.update([])
    #expect(deadlines.next == nil)
    #expect(deadlines.take(at: 99) == [])
  }
}
