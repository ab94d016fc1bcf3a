extension Value {
  /// Reads one item of any kind.
  ///
  /// Iterative: the nesting of hostile input costs no stack, and ends at the decoder's limit.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    var open: [OpenContainer] = []
    while true {
      var value: Value
      let head = try decoder.head()
      switch head.major {
      case 0: value = .unsigned(head.argument)
      case 1: value = .negative(head.argument)
      case 2: value = .bytes(Array(try decoder.content(head.argument)))
      case 3: value = .text(EditableText(validated: try decoder.textContent(head.argument)))
      case 4, 5, 6:
        guard decoder.depth + open.count < CBORDecoder.maximumDepth else {
          throw CBORDecoder.tooDeep
        }
        let container = try OpenContainer(head, &decoder)
        guard container.left == 0 else {
          open.append(container)
          continue
        }
        value = container.value
      default:
        switch head.info {
        case 20, 21: value = .bool(head.info == 21)
        case 22: value = .null
        default:
          guard let float = CBORDecoder.float(head) else {
            throw CBORDecoder.mismatch("a value", head)
          }
          value = .float(float)
        }
      }
      // A complete item goes into its container, which may thereby be complete itself.
      while let last = open.indices.last {
        try open[last].take(value, &decoder)
        if open[last].left > 0 { break }
        value = open[last].value
        open.removeLast()
      }
      if open.isEmpty {
        self = value
        return
      }
    }
  }

  /// A container whose items are still being read.
  private struct OpenContainer {
    enum Content {
      case array([Value])
      case map([ValueMap.Entry], key: Value?)
      case tag(UInt64, Value)
    }
    var content: Content
    /// How many items are to come; for a map, keys and values.
    var left: Int
    /// Where the item that is being read begins, when it is a key.
    var keyStart: Int
    /// Where the last complete key stood.
    var lastKey: Range<Int>?

    init(_ head: CBORDecoder.Head, _ decoder: inout CBORDecoder) throws(DecodingFailure) {
      self.keyStart = decoder.position
      switch head.major {
      case 4:
        left = try decoder.count(head.argument, leastBytesEach: 1)
        var elements: [Value] = []
        elements.reserveCapacity(Swift.min(left, CBORDecoder.mostReserved))
        content = .array(elements)
      case 5:
        let count = try decoder.count(head.argument, leastBytesEach: 2)
        left = count * 2
        var entries: [ValueMap.Entry] = []
        entries.reserveCapacity(Swift.min(count, CBORDecoder.mostReserved))
        content = .map(entries, key: nil)
      default:
        left = 1
        content = .tag(head.argument, .null)
      }
    }

    /// Takes the next item, which ends at the decoder's position.
    mutating func take(_ value: Value, _ decoder: inout CBORDecoder) throws(DecodingFailure) {
      left -= 1
      switch content {
      case .array(var elements):
        content = .tag(0, .null)
        elements.append(value)
        content = .array(elements)
      case .map(var entries, let key):
        content = .tag(0, .null)
        if let key, let lastKey {
          entries.append(
            ValueMap.Entry(encodedKey: Array(decoder.bytes[lastKey]), key: key, value: value))
          content = .map(entries, key: nil)
          keyStart = decoder.position
        } else {
          let range = keyStart..<decoder.position
          if let lastKey { try decoder.checkOrder(lastKey, range) }
          lastKey = range
          content = .map(entries, key: value)
        }
      case .tag(let number, _): content = .tag(number, value)
      }
    }

    /// The value, once no item is left.
    var value: Value {
      switch content {
      case .array(let elements): .array(elements)
      case .map(let entries, _): .map(ValueMap(sorted: entries))
      case .tag(let number, let item): .tag(number, item)
      }
    }
  }
}
