/// Where two versions of a sequence may differ: a range of the old one and what stands in its place.
struct SharedRegion: Equatable, Sendable {
  var old: Range<Int>
  var new: Range<Int>
}

extension BlockTree {
  /// Blocks that both versions do not share, those of the old one and what is in their place.
  struct Difference {
    var old: ArraySlice<Place>
    var new: ArraySlice<Place>
    /// Where they begin, also where there are none.
    var oldStart: Int
    var newStart: Int
  }

  /// Gives the runs of blocks that are not shared with `old`, each with the old ones in whose place
  /// they stand, until `body` says true. What lies between them is shared, and not looked into.
  @discardableResult
  func forEachDifference(
    from old: BlockTree, _ body: (Difference) -> Bool
  ) -> Bool {
    if height == old.height {
      return Self.differences(old.entries, 0, entries, 0, height: height, body)
    }
    var (was, now) = (Self.places(old.entries[...], from: 0), Self.places(entries[...], from: 0))
    var (oldHeight, newHeight) = (old.height, height)
    while oldHeight > newHeight {
      was = Self.opened(was[...])
      oldHeight -= 1
    }
    while newHeight > oldHeight {
      now = Self.opened(now[...])
      newHeight -= 1
    }
    return Self.differences(
      was[...], now[...], ends: (old.count, count), height: newHeight, body)
  }

  /// Passes what two nodes of the same height have in common at both ends. Mostly one entry of each
  /// is left, and is opened at once: what is copied is what differs.
  private static func differences(
    _ old: [Entry], _ oldStart: Int, _ new: [Entry], _ newStart: Int, height: Int,
    _ body: (Difference) -> Bool
  ) -> Bool {
    let (was, now) = (old.span, new.span)
    var (oldStart, newStart) = (oldStart, newStart)
    let shorter = min(was.count, now.count)
    var prefix = 0
    while prefix < shorter, was[prefix].isShared(with: now[prefix]) {
      oldStart += was[prefix].count
      newStart += now[prefix].count
      prefix += 1
    }
    var (oldEnd, newEnd) = (was.count, now.count)
    while oldEnd > prefix, newEnd > prefix, was[oldEnd - 1].isShared(with: now[newEnd - 1]) {
      oldEnd -= 1
      newEnd -= 1
    }
    if oldEnd == prefix, newEnd == prefix { return false }
    if oldEnd == prefix + 1, newEnd == prefix + 1 {
      let (was, now) = (was[prefix].node, now[prefix].node)
      if height > 1 {
        return differences(was.entries, oldStart, now.entries, newStart, height: height - 1, body)
      }
      return body(
        Difference(
          old: [Place(block: was.block, start: oldStart)],
          new: [Place(block: now.block, start: newStart)], oldStart: oldStart, newStart: newStart))
    }
    let ends = (
      oldStart + old[prefix..<oldEnd].reduce(0) { $0 + $1.count },
      newStart + new[prefix..<newEnd].reduce(0) { $0 + $1.count }
    )
    return differences(
      places(old[prefix..<oldEnd], from: oldStart)[...],
      places(new[prefix..<newEnd], from: newStart)[...], ends: ends, height: height, body)
  }

  /// An entry with the position of its first element.
  private typealias EntryPlace = (entry: Entry, start: Int)

  private static func places(_ entries: ArraySlice<Entry>, from start: Int) -> [EntryPlace] {
    var start = start
    return entries.map { entry in
      defer { start += entry.count }
      return (entry, start)
    }
  }

  /// The entries one step further down.
  private static func opened(_ places: ArraySlice<EntryPlace>) -> [EntryPlace] {
    var opened: [EntryPlace] = []
    for place in places { opened += Self.places(place.entry.node.entries[...], from: place.start) }
    return opened
  }

  /// Passes what both have, in order; the runs between are looked into further down. `ends` is where
  /// both lists end.
  private static func differences(
    _ old: ArraySlice<EntryPlace>, _ new: ArraySlice<EntryPlace>, ends: (old: Int, new: Int),
    height: Int, _ body: (Difference) -> Bool
  ) -> Bool {
    var (old, new, ends) = (old, new, ends)
    while let a = old.first, let b = new.first, a.entry.isShared(with: b.entry) {
      old.removeFirst()
      new.removeFirst()
    }
    while let a = old.last, let b = new.last, a.entry.isShared(with: b.entry) {
      ends = (a.start, b.start)
      old.removeLast()
      new.removeLast()
    }
    while !old.isEmpty || !new.isEmpty {
      let common = firstCommon(old, new)
      let was = old[..<(common?.old ?? old.endIndex)]
      let now = new[..<(common?.new ?? new.endIndex)]
      old = old[was.endIndex...]
      new = new[now.endIndex...]
      if !was.isEmpty || !now.isEmpty {
        let wasEnd = old.first?.start ?? ends.old
        let nowEnd = new.first?.start ?? ends.new
        if height == 1 {
          let difference = Difference(
            old: blocks(was)[...], new: blocks(now)[...], oldStart: was.first?.start ?? wasEnd,
            newStart: now.first?.start ?? nowEnd)
          if body(difference) { return true }
        } else if differences(
          opened(was)[...], opened(now)[...], ends: (wasEnd, nowEnd), height: height - 1, body)
        {
          return true
        }
      }
      old = old.dropFirst()
      new = new.dropFirst()
    }
    return false
  }

  /// The first of `new` that is also among the next ones of `old`. Between versions that share much
  /// it is near; versions that share nothing are not searched from end to end.
  private static func firstCommon(
    _ old: ArraySlice<EntryPlace>, _ new: ArraySlice<EntryPlace>
  ) -> (old: Int, new: Int)? {
    for b in new.indices {
      for a in old.prefix(reach).indices where old[a].entry.isShared(with: new[b].entry) {
        return (a, b)
      }
    }
    return nil
  }

  /// How far ahead `firstCommon` looks.
  private static var reach: Int { 4 * widest }

  private static func blocks(_ places: ArraySlice<EntryPlace>) -> [Place] {
    places.map { Place(block: $0.entry.node.block, start: $0.start) }
  }
}

extension BlockTree {
  /// Where this version differs from `old`, without what is identical at the ends of each region.
  func regions(from old: BlockTree) -> [SharedRegion] {
    var regions: [SharedRegion] = []
    forEachDifference(from: old) { difference in
      let region = Self.narrowed(difference)
      if !region.old.isEmpty || !region.new.isEmpty { regions.append(region) }
      return false
    }
    return regions
  }

  private static func narrowed(_ difference: Difference) -> SharedRegion {
    let (old, new) = (difference.old, difference.new)
    var region = SharedRegion(
      old: difference.oldStart..<(old.last?.end ?? difference.oldStart),
      new: difference.newStart..<(new.last?.end ?? difference.newStart))
    var (a, b) = (old.startIndex, new.startIndex)
    while a < old.endIndex, b < new.endIndex {
      let (oldOffset, newOffset) = (
        region.old.lowerBound - old[a].start, region.new.lowerBound - new[b].start
      )
      let common = new[b].block.commonPrefix(from: newOffset, old[a].block, from: oldOffset)
      region.old = region.old.lowerBound + common..<region.old.upperBound
      region.new = region.new.lowerBound + common..<region.new.upperBound
      let isOldDone = oldOffset + common == old[a].block.count
      let isNewDone = newOffset + common == new[b].block.count
      if !isOldDone && !isNewDone { break }
      if isOldDone { a += 1 }
      if isNewDone { b += 1 }
    }
    (a, b) = (old.endIndex - 1, new.endIndex - 1)
    while !region.old.isEmpty, !region.new.isEmpty, a >= old.startIndex, b >= new.startIndex {
      let (oldEnd, newEnd) = (
        region.old.upperBound - old[a].start, region.new.upperBound - new[b].start
      )
      let common = min(
        new[b].block.commonSuffix(before: newEnd, old[a].block, before: oldEnd),
        region.old.count, region.new.count)
      region.old = region.old.lowerBound..<region.old.upperBound - common
      region.new = region.new.lowerBound..<region.new.upperBound - common
      if common < oldEnd && common < newEnd { break }
      if common == oldEnd { a -= 1 }
      if common == newEnd { b -= 1 }
    }
    return region
  }

  /// Whether both have identical elements in the same order.
  func isIdentical(to other: BlockTree) -> Bool {
    guard count == other.count else { return false }
    let regions = regions(from: other)
    if regions.isEmpty { return true }
    // Where they stand side by side, the first elements differ. Where they do not (as in a sequence
    // of many that are alike), what is shared has been moved, and only comparing all tells.
    if regions.contains(where: { $0.old == $0.new }) { return false }
    return commonPrefix(other, from: 0) == count
  }

  /// Where the first elements stand, from `position` on, that differ; else the end of the shorter.
  func commonPrefix(_ other: BlockTree, from position: Int) -> Int {
    var position = position
    while position < count, position < other.count, let a = block(at: position),
      let b = other.block(at: position)
    {
      position += a.block.commonPrefix(
        from: position - a.start, b.block, from: position - b.start)
      if position < a.end && position < b.end { break }
    }
    return position
  }
}
