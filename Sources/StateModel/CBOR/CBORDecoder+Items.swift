/// Whole items of any kind, which nobody looks into.
extension CBORDecoder {
  /// A container whose items are being passed.
  private struct OpenContainer {
    var start: Int
    var left: Int
    var isMap: Bool
    /// Where a map's last key lies; no end before the first.
    var keyStart = 0
    var keyEnd = -1
  }

  /// Reads one whole item of any kind, checks it (form, key order, depth), and gives its bytes.
  public mutating func item() throws(DecodingFailure) -> ArraySlice<UInt8> {
    let start = position
    let head = try nextHead()
    switch head.major {
    case 2: _ = try contentRange(head.argument)
    case 3: _ = try textRange(head.argument)
    case 4, 5, 6:
      position = start
      try passContainer()
    default: break
    }
    return bytes[start..<position]
  }

  /// Passes the next item if it is `item`, one that was read at the same depth: its bytes tell where it
  /// ends, and that it is well-formed.
  mutating func passes(_ item: ArraySlice<UInt8>) -> Bool {
    let start = position - bytes.startIndex
    let end = start + item.count
    guard end <= bytes.count,
      ByteComparison.areIdentical(bytes.span.bytes.extracting(start..<end), item.span.bytes)
    else { return false }
    position += item.count
    return true
  }

  /// Iterative: the nesting of hostile input costs no stack.
  @inline(never)
  private mutating func passContainer() throws(DecodingFailure) {
    // How many containers are open. The innermost one is in variables of its own, and `outer` are
    // those around it: most items have none or one.
    var open = 0
    var inner = OpenContainer(start: position, left: 0, isMap: false)
    var outer: [OpenContainer] = []
    repeat {
      var itemStart = position
      let head = try nextHead()
      switch head.major {
      case 2: _ = try contentRange(head.argument)
      case 3: _ = try textRange(head.argument)
      case 4, 5, 6:
        guard depth + open < Self.maximumDepth else { throw Self.tooDeep }
        let items =
          switch head.major {
          case 4: try count(head.argument, leastBytesEach: 1)
          case 5: try count(head.argument, leastBytesEach: 2) * 2
          default: 1
          }
        if items > 0 {
          if open > 0 { outer.append(inner) }
          open += 1
          inner = OpenContainer(start: itemStart, left: items, isMap: head.major == 5)
          continue
        }
      default: break
      }
      // An item has been read: it counts in its container, and may be the last one of several.
      while open > 0 {
        if inner.isMap, inner.left.isMultiple(of: 2) {
          if inner.keyEnd >= 0 {
            try checkOrder(inner.keyStart..<inner.keyEnd, itemStart..<position)
          }
          (inner.keyStart, inner.keyEnd) = (itemStart, position)
        }
        inner.left -= 1
        if inner.left > 0 { break }
        itemStart = inner.start
        open -= 1
        if open > 0 { inner = outer.removeLast() }
      }
    } while open > 0
  }

  /// Reads and drops one whole item.
  public mutating func skip() throws(DecodingFailure) { _ = try item() }
}
