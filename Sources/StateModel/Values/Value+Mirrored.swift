extension Value: Mirrored {
  /// Any value.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .any }

  /// A value may be null.
  public static var mayEncodeAsNull: Bool { true }

  /// Writes the value.
  public func encode(to encoder: inout CBOREncoder) {
    switch self {
    case .null: encoder.null()
    case .bool(let value): encoder.bool(value)
    case .unsigned(let value): encoder.unsigned(value)
    case .negative(let value): encoder.negative(value)
    case .float(let value): encoder.float(value)
    case .text(let text): text.encode(to: &encoder)
    case .bytes(let bytes): encoder.byteString(bytes)
    case .array(let elements):
      encoder.array(elements.count)
      elements.encodeElements(to: &encoder)
    case .map(let entries): entries.encode(to: &encoder)
    case .tag(let number, let item):
      encoder.tag(number)
      item.encode(to: &encoder)
    }
  }

  /// Whether both encode to the same bytes.
  public func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.negative(let a), .negative(let b)): a == b
    case (.float(let a), .float(let b)): a.isIdentical(to: b)
    case (.text(let a), .text(let b)): a.isIdentical(to: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.array(let a), .array(let b)): a.isIdentical(to: b)
    case (.map(let a), .map(let b)): a.isIdentical(to: b)
    case (.tag(let a, let itemA), .tag(let b, let itemB)):
      a == b && itemA.isIdentical(to: itemB)
    default: false
    }
  }

  /// The digest of the value.
  public var digest: Digest {
    switch self {
    case .null: .ofNull
    case .bool(let value): .ofBool(value)
    case .unsigned(let value): .ofUnsigned(value)
    case .negative(let value): .ofNegative(value)
    case .float(let value): .ofFloat(value)
    case .text(let text): text.digest
    case .bytes(let bytes): .ofBytes(bytes)
    case .array(let elements): elements.digest
    case .map(let entries): entries.digest
    case .tag(let number, let item): .tagged(number, item.digest)
    }
  }

  /// The changes within a text, an array or a map; else a `set`.
  public func writeDelta(from old: Value, to writer: inout DeltaWriter) {
    switch (self, old) {
    case (.text(let new), .text(let old)): new.writeDelta(from: old, to: &writer)
    case (.array(let new), .array(let old)):
      // Two with the same digest are compared, those with different ones are not identical.
      if new.digest == old.digest, new.isIdentical(to: old) { return }
      ArrayChanges.write(
        from: old, to: new, shared: new.sharedRuns(with: old), of: self, &writer)
    case (.map(let new), .map(let old)): new.writeDelta(from: old, to: &writer)
    default: if !isIdentical(to: old) { writer.set(self) }
    }
  }

  /// Whatever fits the kind of value that this is.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    switch self {
    case .text(var text):
      // Emptied meanwhile, here and below, so that storage has one owner and is changed in place.
      self = .null
      try text.apply(change, at: depth)
      self = .text(text)
    case .array(var elements):
      self = .null
      switch try ArrayChanges.step(change, at: depth, count: elements.count, of: Value.self) {
      case .element(let index):
        try elements.update(index) { (element) throws(DeltaFailure) in
          try element.apply(change, at: depth + 1)
        }
      case .splice(let range, let items): elements.replaceSubrange(range, with: items)
      case .move(let from, let to): elements.insert(elements.remove(at: from), at: to)
      }
      self = .array(elements)
    case .map(var entries):
      self = .null
      try entries.apply(change, at: depth)
      self = .map(entries)
    case .null, .bool, .unsigned, .negative, .float, .bytes, .tag:
      throw DeltaFailure("this value has no parts to change", path: change.path[..<depth])
    }
  }
}
