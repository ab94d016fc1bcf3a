import Testing

@testable import ZeroMQ

@Suite("A timer queue")
struct TimerQueueTests {
  @Test("gives due timers in the order of time, then of asking, whatever was cancelled")
  func likeASortedList() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(state: seed)
    for _ in 0..<50 {
      var queue = TimerQueue()
      var model: [(deadline: Int64, number: UInt64)] = []
      var called: [UInt64] = []
      var expected: [UInt64] = []
      var now: Int64 = 0
      var last: UInt64 = 0
      for _ in 0..<400 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          let deadline = now + Int64.random(in: 0..<50, using: &random)
          last += 1
          let expected = last
          let number = queue.add(at: deadline) { called.append(expected) }
          #expect(number == expected)
          model.append((deadline, number))
        case 5..<9:
          guard let index = model.indices.randomElement(using: &random) else { continue }
          queue.cancel(model[index].number)
          model.remove(at: index)
        default:
          now += Int64.random(in: 0..<60, using: &random)
          model.sort { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
          expected += model.prefix { $0.deadline <= now }.map(\.number)
          model.removeAll { $0.deadline <= now }
          for number in queue.popDue(now: now) { queue.take(number)?() }
        }
        #expect(queue.isEmpty == model.isEmpty, "seed \(seed)")
        #expect(queue.next == model.map(\.deadline).min(), "seed \(seed)")
      }
      #expect(called == expected, "seed \(seed)")
    }
  }

  @Test("leaves what a due timer adds to the next turn, and out what it cancels")
  func changedWhileRunning() {
    var queue = TimerQueue()
    let first = queue.add(at: 1) {}
    let second = queue.add(at: 2) {}
    #expect(queue.popDue(now: 5) == [first, second])
    #expect(queue.take(first) != nil)
    let third = queue.add(at: 0) {}
    queue.cancel(second)
    #expect(queue.take(second) == nil)
    #expect(queue.next == 0)
    #expect(queue.popDue(now: 5) == [third])
  }
}
