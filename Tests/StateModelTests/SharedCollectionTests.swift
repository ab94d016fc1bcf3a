import StateModel
import Testing

/// Collections that are large enough to stand on shared nodes, held against plain ones: after every
/// change, and between all versions, whether they share nodes or not.
@Suite("Large collections on shared nodes")
struct SharedCollectionTests {
  /// Ids of which many have the same hash.
  struct ClumsyID: Hashable, Sendable {
    var number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(number % 7) }
  }

  @Mirrored struct Row: Identifiable {
    var number = 0
    var text = ""
    var id: Int { number }
  }

  /// One more or less than what a block, and a node of blocks, may hold is among them.
  static let sizes = [
    0, 1, 15, 16, 17, 31, 32, 33, 34, 63, 64, 65, 127, 257, 768, 769, 1_500, 5_000,
  ]

  /// Fewer for what takes longer.
  static func seeds(_ size: Int) -> Range<UInt64> { size > 500 ? 0..<1 : 0..<3 }

  @Test("An identified array agrees with a plain array through random changes", arguments: sizes)
  func identified(size: Int) throws {
    for seed in Self.seeds(size) {
      var source = SeededGenerator(seed: seed &* 1_000 &+ UInt64(size))
      var model = (0..<size).map { Row(number: $0, text: "row \($0)") }
      var array = IdentifiedArray(uniqueElements: model)
      var versions = [(model, array)]
      var next = size
      for step in 0..<120 {
        Self.change(&model, &array, &next, &source)
        let hint: Comment = "size \(size), seed \(seed), step \(step)"
        #expect(array.count == model.count, hint)
        if let row = model.randomElement(using: &source) {
          #expect(array.index(id: row.id) == model.firstIndex { $0.id == row.id }, hint)
          #expect(array[id: row.id]?.text == row.text, hint)
        }
        #expect(array.index(id: -1) == nil && array[id: next + 1] == nil, hint)
        let (oldModel, old) = versions[Int.random(in: 0..<versions.count, using: &source)]
        if step.isMultiple(of: 8) {
          try Self.check(old, oldModel, array, model, hint)
          versions.append((model, array))
        }
      }
    }
  }

  private static func check(
    _ old: IdentifiedArray<Row>, _ oldModel: [Row], _ new: IdentifiedArray<Row>, _ model: [Row],
    _ hint: Comment
  ) throws {
    #expect(new.elements == model, hint)
    #expect(Array(new) == model && new.ids == model.map(\.id), hint)
    #expect(new.ids.map { new.index(id: $0) } == Array(model.indices), hint)
    #expect(new.encoded() == model.encoded(), hint)
    #expect(new.digest == model.digest, hint)
    #expect(Value(of: new).digest == model.digest, hint)
    #expect(new.isIdentical(to: IdentifiedArray(model)), hint)
    #expect(new == IdentifiedArray(model), hint)
    #expect(old.elements == oldModel && old.digest == oldModel.digest, hint)
    #expect((new == old) == (model == oldModel), hint)
    #expect(new.isIdentical(to: old) == (model == oldModel), hint)
    let expected = ReferenceDelta.between(oldModel, model)
    for (old, new) in [(old, new), (IdentifiedArray(oldModel), new), (old, IdentifiedArray(model))]
    {
      let delta = new.delta(from: old)
      #expect(delta == expected, hint)
      var mirror = old
      try mirror.apply(delta)
      #expect(mirror.elements == model && mirror.digest == new.digest, hint)
      #expect(mirror.ids.map { mirror.index(id: $0) } == Array(model.indices), hint)
      #expect(old.digest == oldModel.digest, hint)
    }
    var untyped = Value(of: oldModel)
    try untyped.apply(expected)
    #expect(untyped.digest == model.digest && untyped == Value(of: model), hint)
  }

  static func change(
    _ model: inout [Row], _ array: inout IdentifiedArray<Row>, _ next: inout Int,
    _ source: inout SeededGenerator
  ) {
    let place = Int.random(in: 0...model.count, using: &source)
    let isInside = place < model.count
    next += 1
    let row = Row(number: next, text: "new \(next)")
    switch Int.random(in: 0..<16, using: &source) {
    case 0:
      model.append(row)
      array.append(row)
    case 1, 2:
      model.insert(row, at: place)
      array.insert(row, at: place)
    case 3 where isInside:
      let removed = model.remove(at: place)
      let given = array.remove(at: place)
      #expect(given == removed)
    case 4 where isInside:
      let removed = model.remove(at: place)
      let given = array.remove(id: removed.id)
      #expect(given == removed)
    case 5 where isInside:
      array[id: model[place].id] = nil
      model.remove(at: place)
    case 6 where isInside, 7 where isInside, 8 where isInside:
      array[id: model[place].id]?.text += "!"
      model[place].text += "!"
    case 9 where isInside:
      array[place].text = "set"
      model[place].text = "set"
    case 10 where isInside:
      array[place] = row
      model[place] = row
    case 11 where isInside:
      let to = Int.random(in: 0..<model.count, using: &source)
      array.move(from: place, to: to)
      model.insert(model.remove(at: place), at: to)
    case 12 where isInside:
      let changed = Row(number: model[place].number, text: "updated")
      let replaced = array.updateOrAppend(changed)
      #expect(replaced == model[place])
      model[place] = changed
    case 13:
      // A few, or about half.
      let divisor = source.once(in: 12) ? 2 : 97
      array.removeAll { $0.number % divisor == 1 }
      model.removeAll { $0.number % divisor == 1 }
    case 14 where source.once(in: 10):
      array.sort { $0.text < $1.text || $0.text == $1.text && $0.id < $1.id }
      model.sort { $0.text < $1.text || $0.text == $1.text && $0.id < $1.id }
    default:
      // Many at one place, which a mirror takes in as one splice.
      let end = min(model.count, place + Int.random(in: 0..<80, using: &source))
      let first = next
      next += Int.random(in: 0..<80, using: &source)
      let rows = (first..<next).map { Row(number: $0, text: "many") }
      var changed = model
      changed.replaceSubrange(place..<end, with: rows)
      let delta = ReferenceDelta.between(model, changed)
      #expect(throws: Never.self) { try array.apply(delta) }
      model = changed
    }
  }

  @Test("Thousands of insertions at one place find labels, and every element is found still")
  func crowded() {
    var array = IdentifiedArray((0..<200).map { Row(number: $0) })
    var model = array.elements
    for number in 200..<6_200 {
      array.insert(Row(number: number), at: 77)
      model.insert(Row(number: number), at: 77)
    }
    #expect(array.elements == model)
    #expect(array.ids.map { array.index(id: $0) } == Array(model.indices))
    #expect(array.digest == model.digest)
    for number in 0..<6_000 { array.insert(Row(number: 10_000 + number), at: 0) }
    #expect(array.ids.map { array.index(id: $0) } == Array(0..<12_200))
    #expect(array.digest == array.elements.digest)
  }

  @Test("Ids with the same hash are told apart")
  func clumsy() throws {
    var array = IdentifiedArray((0..<500).map { ClumsyRow(id: ClumsyID(number: $0)) })
    #expect(array.ids.map { array.index(id: $0) } == Array(0..<500))
    for number in stride(from: 0, to: 500, by: 3) { array.remove(id: ClumsyID(number: number)) }
    #expect(array.index(id: ClumsyID(number: 3)) == nil)
    #expect(array.ids.map { array.index(id: $0) } == Array(array.indices))
    #expect(array.append(ClumsyRow(id: ClumsyID(number: 499))).inserted == false)
    var mirror = try IdentifiedArray<ClumsyRow>(encoded: array.encoded())
    array[id: ClumsyID(number: 250)]?.count += 1
    try mirror.apply(array.delta(from: mirror))
    #expect(mirror.isIdentical(to: array))
  }

  @Test("A large array refuses a second element with an id, from bytes and from deltas")
  func duplicates() throws {
    let rows = (0..<100).map { Row(number: $0) }
    #expect(throws: DecodingFailure.self) {
      try IdentifiedArray<Row>(encoded: (rows + [Row(number: 50)]).encoded())
    }
    let array = IdentifiedArray(rows)
    for changed in [
      rows + [Row(number: 3)], rows.prefix(50) + [Row(number: 99)] + rows.dropFirst(51),
    ] {
      var mirror = array
      #expect(throws: DeltaFailure.self) { try mirror.apply(changed.delta(from: rows)) }
      #expect(mirror.isIdentical(to: array) && mirror.digest == rows.digest)
    }
    #expect(IdentifiedArray(rows + rows).elements == rows)
  }

  @Test("An element of a large array is changed where it stands, without a copy of what it holds")
  func inPlace() {
    var array = IdentifiedArray((0..<1_000).map { Row(number: $0, text: "") })
    let before = array
    for _ in 0..<1_000 { array[id: 500]?.text += "long" }
    #expect(array[500].text.utf8.count == 4_000 && before[500].text.isEmpty)
    #expect(array.digest == array.elements.digest && before.digest == before.elements.digest)
  }

  @Test(
    "An array without a type agrees with a plain array through random changes", arguments: sizes)
  func values(size: Int) throws {
    for seed in Self.seeds(size) {
      var source = SeededGenerator(seed: seed &* 1_000 &+ UInt64(size))
      // Few different ones, so that runs repeat, or none alike.
      let variety = seed.isMultiple(of: 2) ? 2 : 1_000_000
      func value() -> Value { .integer(Int64(Int.random(in: 0..<variety, using: &source))) }
      var model = (0..<size).map { _ in value() }
      var array = Value.array(model)
      var versions = [(model, array)]
      for step in 0..<100 {
        let hint: Comment = "size \(size), seed \(seed), step \(step)"
        let place = Int.random(in: 0...model.count, using: &source)
        let end = min(
          model.count, place + Int.random(in: 0..<(source.once(in: 9) ? 200 : 3), using: &source))
        let count = Int.random(in: 0..<(source.once(in: 9) ? 200 : 3), using: &source)
        let items = (0..<count).map { _ in value() }
        if source.once(in: 2), place < model.count {
          model[place] = items.first ?? .null
          try array.set(model[place], at: [.integer(Int64(place))])
        } else {
          model.replaceSubrange(place..<end, with: items)
          guard case .array(var elements) = array else { return }
          elements.replaceSubrange(place..<end, with: items)
          array = .array(elements)
        }
        #expect(array.digest == model.digest, hint)
        guard step.isMultiple(of: 5) else { continue }
        #expect(array.elements.map(Array.init) == model, hint)
        #expect(array.encoded() == model.encoded(), hint)
        let (oldModel, old) = versions[Int.random(in: 0..<versions.count, using: &source)]
        #expect((array == old) == (model == oldModel), hint)
        #expect(array == .array(model), hint)
        let expected = model.delta(from: oldModel)
        for (old, new) in [(old, array), (.array(oldModel), array), (old, .array(model))] {
          #expect(new.delta(from: old) == expected, hint)
          var mirror = old
          try mirror.apply(expected)
          #expect(mirror == array && mirror.digest == model.digest, hint)
        }
        versions.append((model, array))
      }
    }
  }

  @Test("A sorted dictionary agrees with a dictionary through random changes", arguments: sizes)
  func dictionaries(size: Int) throws {
    for seed in Self.seeds(size) {
      var source = SeededGenerator(seed: seed &* 1_000 &+ UInt64(size))
      let most = max(8, size * 2)
      var model: [Int: String] = [:]
      for _ in 0..<size { model[Int.random(in: 0..<most, using: &source)] = "first" }
      var sorted = SortedDictionary(model.map { ($0.key, $0.value) })
      var versions = [(model, sorted)]
      for step in 0..<120 {
        let hint: Comment = "size \(size), seed \(seed), step \(step)"
        let key = Int.random(in: 0..<most, using: &source)
        switch Int.random(in: 0..<8, using: &source) {
        case 0, 1:
          let removed = model.removeValue(forKey: key)
          let given = sorted.removeValue(forKey: key)
          #expect(given == removed, hint)
        case 2:
          sorted[key] = nil
          model[key] = nil
        case 3, 4:
          sorted[key]? += "!"
          model[key]? += "!"
        case 5 where source.once(in: 10):
          // A run of neighbours goes, so that nodes become too small.
          for key in key..<key + most / 3 {
            sorted[key] = nil
            model[key] = nil
          }
        default:
          sorted[key] = "set \(step)"
          model[key] = "set \(step)"
        }
        #expect(sorted.count == model.count && sorted[key] == model[key], hint)
        guard step.isMultiple(of: 10) else { continue }
        #expect(sorted.encoded() == model.encoded() && sorted.digest == model.digest, hint)
        #expect(sorted.keys == sorted.map(\.key), hint)
        #expect(sorted.indices.map { sorted[$0].value } == sorted.values, hint)
        let (oldModel, old) = versions[Int.random(in: 0..<versions.count, using: &source)]
        let fresh = SortedDictionary(model.map { ($0.key, $0.value) })
        let freshOld = SortedDictionary(oldModel.map { ($0.key, $0.value) })
        #expect(old.digest == freshOld.digest && sorted == fresh, hint)
        #expect((sorted == old) == (model == oldModel), hint)
        #expect(sorted.isIdentical(to: old) == (model == oldModel), hint)
        let expected = Self.difference(oldModel, model, of: fresh)
        for (old, new) in [(old, sorted), (freshOld, sorted), (old, fresh)] {
          #expect(new.delta(from: old) == expected, hint)
          var mirror = old
          try mirror.apply(expected)
          #expect(mirror.isIdentical(to: sorted) && mirror.digest == sorted.digest, hint)
          var untyped = Value(of: old)
          try untyped.apply(expected)
          #expect(untyped.digest == sorted.digest, hint)
        }
        versions.append((model, sorted))
      }
    }
  }

  private static func difference(
    _ old: [Int: String], _ new: [Int: String], of whole: SortedDictionary<Int, String>
  ) -> Delta {
    var writer = DeltaWriter()
    let keys = Set(old.keys).union(new.keys).map { ($0, $0.encoded()) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }
    writer.changes(to: whole) { writer in
      for (key, encodedKey) in keys where old[key] != new[key] {
        writer.at(encodedKey) { writer in
          switch (old[key], new[key]) {
          case (let was?, let now?): now.writeDelta(from: was, to: &writer)
          case (nil, let now?): writer.set(now)
          default: writer.remove()
          }
        }
      }
    }
    return writer.finish(value: whole)
  }

  @Test("A value takes no more room than three words") func room() {
    #expect(MemoryLayout<Value>.stride == 24)
  }
}

@Mirrored struct ClumsyRow: Identifiable {
  var id = SharedCollectionTests.ClumsyID(number: 0)
  var count = 0
}

extension SharedCollectionTests.ClumsyID: Mirrored {
  static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    Int.describe(in: &schema)
  }
  func encode(to encoder: inout CBOREncoder) { number.encode(to: &encoder) }
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    number = try Int(from: &decoder)
  }
  func isIdentical(to other: Self) -> Bool { number == other.number }
  var digest: Digest { number.digest }
}
