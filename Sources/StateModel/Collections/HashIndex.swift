/// Which labels belong to a hash: how a large `IdentifiedArray` finds the block of an id.
///
/// A tree over the bits of the hash with buckets on its leaves; copies share what is not changed. It
/// holds no ids: the block that a label leads to has them, and is asked.
struct HashIndex: Sendable {
  private struct Item: Sendable {
    var hash: UInt64
    var label: UInt64
  }

  private enum Node: Sendable {
    case bucket([Item])
    case branch([Node])
  }

  private var root = Node.bucket([])

  /// Empty.
  init() {}

  /// A bucket that grows beyond this is divided, while there are bits left.
  private static let largest = 32
  private static let bitsEach = 4
  private static let width = 1 << bitsEach

  /// The first that `body` makes of one of the labels of `hash`; nil where it makes nothing of any.
  func first<Result>(_ hash: UInt64, _ body: (UInt64) -> Result?) -> Result? {
    Self.first(root, hash, shift: 0, body)
  }

  private static func first<Result>(
    _ node: Node, _ hash: UInt64, shift: Int, _ body: (UInt64) -> Result?
  ) -> Result? {
    switch node {
    case .bucket(let items):
      let items = items.span
      for index in items.indices where items[index].hash == hash {
        if let result = body(items[index].label) { return result }
      }
      return nil
    case .branch(let nodes):
      return first(nodes.span[child(hash, shift)], hash, shift: shift + bitsEach, body)
    }
  }

  /// Adds a label to a hash.
  mutating func insert(_ hash: UInt64, _ label: UInt64) {
    Self.insert(Item(hash: hash, label: label), into: &root, shift: 0)
  }

  private static func insert(_ item: Item, into node: inout Node, shift: Int) {
    switch node {
    case .bucket(var items):
      // Emptied meanwhile, here and below, so that storage has one owner and is changed in place.
      node = .branch([])
      items.append(item)
      if items.count <= largest || shift >= UInt64.bitWidth {
        node = .bucket(items)
        return
      }
      var buckets = [[Item]](repeating: [], count: width)
      for item in items { buckets[child(item.hash, shift)].append(item) }
      node = .branch(buckets.map { .bucket($0) })
    case .branch(var nodes):
      node = .branch([])
      insert(item, into: &nodes[child(item.hash, shift)], shift: shift + bitsEach)
      node = .branch(nodes)
    }
  }

  /// Takes a label away from a hash.
  mutating func remove(_ hash: UInt64, _ label: UInt64) {
    Self.remove(hash, label, from: &root, shift: 0)
  }

  private static func remove(
    _ hash: UInt64, _ label: UInt64, from node: inout Node, shift: Int
  ) {
    switch node {
    case .bucket(var items):
      node = .branch([])
      if let index = items.firstIndex(where: { $0.hash == hash && $0.label == label }) {
        items.swapAt(index, items.count - 1)
        items.removeLast()
      }
      node = .bucket(items)
    case .branch(var nodes):
      node = .branch([])
      remove(hash, label, from: &nodes[child(hash, shift)], shift: shift + bitsEach)
      node = .branch(nodes)
    }
  }

  private static func child(_ hash: UInt64, _ shift: Int) -> Int {
    Int(truncatingIfNeeded: hash >> UInt64(shift)) & (width - 1)
  }
}
