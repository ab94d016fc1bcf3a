/// What is to happen at which time: a heap of deadlines, in the order of time and then of asking.
///
/// A cancelled entry loses its body at once and its place in the heap when it comes up, or when
/// more than half of the heap is such husks.
struct TimerQueue {
  private struct Entry {
    var deadline: Int64
    var number: UInt64
    func isBefore(_ other: Entry) -> Bool {
      (deadline, number) < (other.deadline, other.number)
    }
  }

  private var heap: [Entry] = []
  private var bodies: [UInt64: () -> Void] = [:]
  private var last: UInt64 = 0

  /// Below this the heap is never rebuilt: it is not worth it.
  private static let smallestRebuild = 64

  var isEmpty: Bool { bodies.isEmpty }

  /// The next deadline.
  var next: Int64? {
    mutating get {
      dropHusks()
      return heap.first?.deadline
    }
  }

  mutating func add(at deadline: Int64, _ body: @escaping () -> Void) -> UInt64 {
    last += 1
    bodies[last] = body
    heap.append(Entry(deadline: deadline, number: last))
    siftUp(heap.count - 1)
    return last
  }

  mutating func cancel(_ number: UInt64) {
    guard bodies.removeValue(forKey: number) != nil else { return }
    guard heap.count > Self.smallestRebuild, heap.count > 2 * bodies.count else { return }
    // Sorted is a heap, too.
    heap = heap.filter { bodies[$0.number] != nil }.sorted { $0.isBefore($1) }
  }

  /// The numbers of all that are due, in order. Each is then to be taken: one that a body adds waits
  /// for the next turn (one that always asks again would starve the rest), one that a body cancels
  /// is not there any more.
  mutating func popDue(now: Int64) -> [UInt64] {
    var due: [UInt64] = []
    while let first = heap.first, first.deadline <= now {
      if bodies[first.number] != nil { due.append(first.number) }
      removeFirst()
    }
    return due
  }

  /// Takes out a body; nil if it was cancelled.
  mutating func take(_ number: UInt64) -> (() -> Void)? { bodies.removeValue(forKey: number) }

  private mutating func dropHusks() {
    while let first = heap.first, bodies[first.number] == nil { removeFirst() }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }

  private mutating func siftUp(_ index: Int) {
    var child = index
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }
}
