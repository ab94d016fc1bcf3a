import StateModel

/// The changes between two arrays of identified elements, found the plain way: every element is
/// looked at. What is found by way of shared nodes must be the same, byte for byte.
enum ReferenceDelta {
  static func between<Element: Identifiable & Mirrored>(
    _ old: [Element], _ new: [Element]
  ) -> Delta where Element.ID: Mirrored & Hashable {
    var writer = DeltaWriter()
    write(old, new, &writer)
    return writer.finish(value: new)
  }

  private static func write<Element: Identifiable & Mirrored>(
    _ old: [Element], _ new: [Element], _ writer: inout DeltaWriter
  ) where Element.ID: Mirrored & Hashable {
    if old.count == new.count,
      zip(old, new).allSatisfy({ $0.id == $1.id || $0.isIdentical(to: $1) })
    {
      let changed = new.indices.filter { !new[$0].isIdentical(to: old[$0]) }
      if changed.isEmpty { return }
      writer.changes(to: new) { writer in
        for index in changed {
          writer.at(index: index) { new[index].writeDelta(from: old[index], to: &$0) }
        }
      }
      return
    }
    let positions = Dictionary(
      uniqueKeysWithValues: old.enumerated().map { ($0.element.id, $0.offset) })
    let origins = new.map { positions[$0.id] }
    guard let moves = moves(to: origins.compactMap { $0 }) else {
      writer.set(new)
      return
    }
    let staying = Set(origins.compactMap { $0 })
    writer.changes(to: new) { writer in
      for run in runs(old.count, { !staying.contains($0) }).reversed() {
        writer.splice(index: run.lowerBound, removed: run.count, items: new[0..<0])
      }
      for (from, to) in moves { writer.move(from: from, to: to) }
      for run in runs(new.count, { origins[$0] == nil }) {
        writer.splice(index: run.lowerBound, removed: 0, items: new[run])
      }
      for (index, origin) in origins.enumerated() {
        guard let origin else { continue }
        writer.at(index: index) { new[index].writeDelta(from: old[origin], to: &$0) }
      }
    }
  }

  private static func runs(_ count: Int, _ isIn: (Int) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in 0..<count where isIn(index) {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }

  private static func moves(to target: [Int]) -> [(from: Int, to: Int)]? {
    let fixed = Set(longestRising(target))
    if target.count - fixed.count > 512 { return nil }
    var moves: [(from: Int, to: Int)] = []
    var working = target.sorted()
    for (index, element) in target.enumerated() where !fixed.contains(index) {
      guard let from = working.firstIndex(of: element) else { continue }
      working.remove(at: from)
      var to = 0
      if index > 0, let before = working.firstIndex(of: target[index - 1]) { to = before + 1 }
      working.insert(element, at: to)
      if from != to { moves.append((from, to)) }
    }
    return moves
  }

  private static func longestRising(_ values: [Int]) -> [Int] {
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var positions: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      positions.append(index)
      index = previous[index]
    }
    return positions.reversed()
  }
}
