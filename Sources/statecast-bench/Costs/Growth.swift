import StateModel
import StatecastClient
import SyncProtocol

/// What one change costs in a state of a thousand, a hundred thousand and a million elements: at the
/// daemon to decode, reduce, find the delta, digest and encode the publication, at a mirror to apply
/// it and compare the digest.
///
/// No sockets: the thread's processor time. The places of the changes are random, so that nothing is
/// in a cache because it was changed just now.
struct Growth {
  /// A list that tasks are changed in.
  @Mirrored struct TaskList {
    var items = IdentifiedArray<Item>()
  }

  /// The same by key.
  @Mirrored struct TaskTable {
    var items = SortedDictionary<Int, Item>()
  }

  /// A document as the workspace holds it.
  @Mirrored struct Document {
    var value = Value.null
  }

  @Mirrored struct Item: Identifiable {
    var id = 0
    var title = ""
    var priority = 0
    var isDone = false

    init(number: Int) {
      id = number
      title = "What is to be done, number \(number)"
    }
  }

  /// Nanoseconds and bytes of one change.
  struct Cost {
    var daemon: Double
    var mirror: Double
    /// Header and payload of the publication.
    var bytes: Double
  }

  /// How long each case is measured, after half of that to warm up.
  let seconds: Double

  static let sizes = [1_000, 100_000, 1_000_000]

  /// A task's priority changes in an identified array.
  func tasks(_ count: Int) throws -> Cost {
    var list = TaskList()
    list.items = IdentifiedArray((0..<count).lazy.map { Item(number: $0) })
    return try measure(list, places: count) { list, place, step in
      list.items[id: place]?.priority = step
    }
  }

  /// A task comes into a filtered view or leaves it, which shows about half of all.
  func filtered(_ count: Int) throws -> Cost {
    var list = TaskList()
    list.items = IdentifiedArray((0..<count).lazy.map { Item(number: $0) })
    var shown = Filtered<Item> { $0.priority.isMultiple(of: 2) }
    func view(_ list: TaskList) -> IdentifiedArray<Item> {
      shown.update(list.items)
      return shown.elements
    }
    return try measure(list, places: count, view: view) { list, place, step in
      list.items[id: place]?.priority = step
    }
  }

  /// A task is added before another one, that one is moved, or a third is removed.
  func order(_ count: Int) throws -> Cost {
    var list = TaskList()
    list.items = IdentifiedArray((0..<count).lazy.map { Item(number: $0) })
    return try measure(list, places: count - 1) { list, place, step in
      switch step % 3 {
      case 0: list.items.insert(Item(number: count + step), at: place)
      case 1: list.items.move(from: place, to: count - 1 - place)
      default: list.items.remove(at: place)
      }
    }
  }

  /// A value changes in a sorted dictionary.
  func table(_ count: Int) throws -> Cost {
    var table = TaskTable()
    table.items = SortedDictionary((0..<count).lazy.map { ($0, Item(number: $0)) })
    return try measure(table, places: count) { table, place, step in
      table.items[place]?.priority = step
    }
  }

  /// An element changes in an array without a type.
  func document(_ count: Int) throws -> Cost {
    let elements = (0..<count).map { Value(of: Item(number: $0)) }
    let document = Document(value: .array(elements))
    return try measure(document, places: count) { document, place, step in
      try document.value.set(.integer(Int64(step)), at: [.integer(Int64(place)), "priority"])
    }
  }

  /// A letter is typed, or taken away again, anywhere in a text of that many bytes.
  func text(_ count: Int) throws -> Cost {
    let words = "The quick brown fox jumps over the lazy dog, and again and again. "
    let text = String(repeating: words, count: count / words.utf8.count + 1).prefix(count)
    var document = Document(value: .text(EditableText(String(text))))
    // No two places are alike, as in a text that somebody wrote.
    for place in stride(from: 0, to: count, by: 50) {
      try edit(&document, at: place, removed: 5, inserted: "\(10_000 + place / 50 % 90_000)")
    }
    return try measure(document, places: count - 1) { document, place, step in
      try edit(
        &document, at: place, removed: step.isMultiple(of: 2) ? 0 : 1,
        inserted: step.isMultiple(of: 2) ? "#" : "")
    }
  }

  private func edit(
    _ document: inout Document, at place: Int, removed: Int, inserted: String
  ) throws {
    try document.value.update(at: []) { (value) throws(DeltaFailure) in
      guard case .text(var text) = value else { return }
      value = .null
      defer { value = .text(text) }
      try text.splice(offset: place, removed: removed, inserted: inserted)
    }
  }

  private func measure<State: Mirrored>(
    _ start: State, places: Int, _ change: (inout State, Int, Int) throws -> Void
  ) throws -> Cost {
    try measure(start, places: places, view: { $0 }, change)
  }

  /// Runs of changes, each first at the daemon, then at the mirror of a view.
  private func measure<State: Mirrored, ViewState: Mirrored>(
    _ start: State, places: Int, view: (State) -> ViewState,
    _ change: (inout State, Int, Int) throws -> Void
  ) throws -> Cost {
    var state = start
    var shown = view(state)
    var replica = TypedReplica(ViewState.self)
    try replica.reset(to: shown.encoded()[...], digest: shown.digest)
    var source = SeededGenerator(seed: 11)
    var publications: [(Delta, Digest)] = []
    var daemon = 0.0
    var mirror = 0.0
    var bytes = 0
    var measured = 0
    var step = 0
    var isWarm = false
    var run = 1
    let began = ThreadClock.now()
    while true {
      let before = ThreadClock.now()
      if !isWarm, before - began > seconds * 0.5e9 {
        isWarm = true
        daemon = 0
        mirror = 0
        bytes = 0
        measured = 0
      }
      if isWarm, daemon + mirror > seconds * 1e9 { break }
      // As many as there is time for: without shared nodes, some run for milliseconds each.
      for _ in 0..<run {
        let place = Int.random(in: 0..<places, using: &source)
        let action = place.encoded()
        step += 1
        var next = state
        try change(&next, Int(encoded: action), step)
        measured += 1
        if next.isIdentical(to: state) { continue }
        state = next
        let seen = view(next)
        if seen.isIdentical(to: shown) { continue }
        let delta = seen.delta(from: shown)
        let digest = seen.digest
        shown = seen
        let frames = BroadcastCodec.encode(
          .publication(publication(delta, digest, number: UInt64(step))))
        bytes += frames.reduce(0) { $0 + $1.count }
        publications.append((delta, digest))
      }
      let served = ThreadClock.now()
      if !isWarm { run = served - before < 1e6 ? min(64, run * 2) : max(1, run / 2) }
      for (delta, digest) in publications {
        try replica.apply(delta)
        guard replica.digest == digest else { throw BenchFailure("a mirror's digest is another") }
      }
      let applied = ThreadClock.now()
      publications.removeAll(keepingCapacity: true)
      daemon += served - before
      mirror += applied - served
    }
    guard let mirrored = replica.value, mirrored.isIdentical(to: shown),
      Value(of: shown).digest == shown.digest
    else { throw BenchFailure("the mirror is not the daemon's state") }
    let count = Double(measured)
    return Cost(
      daemon: daemon / count, mirror: mirror / count, bytes: Double(bytes) / count)
  }

  private func publication(_ delta: Delta, _ digest: Digest, number: UInt64) -> Publication {
    Publication(
      topic: Self.topic, lineage: Self.lineage, epoch: Epoch(rawValue: 1),
      from: CommitNumber(rawValue: number - 1), to: CommitNumber(rawValue: number),
      commit: CommitNumber(rawValue: number), digest: digest, origin: nil, flags: [], delta: delta)
  }

  private static let lineage = Lineage(Bytes16(high: 1, low: 2))
  private static let topic = Topic(bytes: Array("Dgrowth\0".utf8) + [0xF6])
}
