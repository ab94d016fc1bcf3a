/// The elements of an array that a condition keeps, in their order, brought up to date from what
/// has changed: a view of a few among a million costs what the change costs, not a million.
///
/// The condition must say the same of the same element each time.
public struct Filtered<Element: Identifiable & Mirrored>: Sendable
where Element.ID: Mirrored & Hashable {
  /// What is kept of the array that `update` was given last.
  public private(set) var elements = IdentifiedArray<Element>()
  private var source = IdentifiedArray<Element>()
  private let isKept: @Sendable (Element) -> Bool

  /// Nothing yet: `update` gives it the elements.
  public init(where isKept: @escaping @Sendable (Element) -> Bool) { self.isKept = isKept }

  /// Takes the array as it is now. What it shares with the one before is not looked at.
  public mutating func update(_ now: IdentifiedArray<Element>) {
    let regions = now.regions(from: source)
    let changed = regions.reduce(0) { $0 + max($1.old.count, $1.new.count) }
    if changed > now.count / Self.part {
      elements = now.filter(isKept)
    } else {
      for region in regions {
        for index in region.old { elements.remove(id: source[index].id) }
      }
      // What is left is in regions that both arrays share, and so stands in the order of the new one.
      for region in regions { insert(region.new, of: now) }
    }
    source = now
  }

  /// Where more than one in so many has changed, all are asked anew.
  private static var part: Int { 8 }

  private mutating func insert(_ range: Range<Int>, of now: IdentifiedArray<Element>) {
    var place: Int?
    for index in range {
      let element = now[index]
      guard isKept(element) else { continue }
      let at = place ?? position(before: range.lowerBound, of: now)
      elements.insert(element, at: at)
      place = at + 1
    }
  }

  /// How many of the elements kept stand before a position.
  private func position(before index: Int, of now: IdentifiedArray<Element>) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if let place = now.index(id: elements[middle].id), place < index {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
