extension Value {
  /// The value under a text key of a map, nil where there is none; setting nil removes the entry.
  ///
  /// Setting does nothing to a value that is not a map: `set(_:at:)` says so.
  public subscript(key: String) -> Value? {
    get { entries?[encodedKey: key.encoded()] }
    _modify {
      guard case .map(var entries) = self else {
        var ignored: Value?
        yield &ignored
        return
      }
      self = .null
      defer { self = .map(entries) }
      yield &entries[.text(key)]
    }
  }

  /// The element of an array, nil where there is none.
  public subscript(index: Int) -> Value? {
    guard let elements, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The value at a path of map keys and array indices; nil where there is none.
  public func value(at path: some Collection<Value>) -> Value? {
    var value = self
    for element in path {
      switch value {
      case .map(let entries):
        guard let next = entries[element] else { return nil }
        value = next
      case .array(let elements):
        guard let index = element.integer, elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// Changes the value at a path of map keys and array indices in place.
  public mutating func update<Result>(
    at path: ArraySlice<Value>, _ body: (inout Value) throws(DeltaFailure) -> Result
  ) throws(DeltaFailure) -> Result {
    guard let first = path.first else { return try body(&self) }
    switch self {
    case .map(var entries):
      self = .null
      defer { self = .map(entries) }
      let result = try entries.update(first) { (value) throws(DeltaFailure) in
        try value.update(at: path.dropFirst(), body)
      }
      if let result { return result }
      throw DeltaFailure("there is no entry \(first)")
    case .array(var elements):
      guard let index = first.integer, elements.indices.contains(index) else {
        throw DeltaFailure("there is no element \(first) in an array of \(elements.count)")
      }
      self = .null
      defer { self = .array(elements) }
      return try elements.update(index) { (value) throws(DeltaFailure) in
        try value.update(at: path.dropFirst(), body)
      }
    default: throw DeltaFailure("there is nothing under \(first): the value has no parts")
    }
  }

  /// Sets the value at a path: the whole for the empty one, a map's entry (which need not exist) or
  /// an array's element (which must).
  public mutating func set(_ value: Value, at path: [Value]) throws(DeltaFailure) {
    if !value.isNested(atMost: CBORDecoder.maximumDepth - path.count) {
      throw DeltaFailure("the value would be nested deeper than \(CBORDecoder.maximumDepth)")
    }
    guard let last = path.last else {
      self = value
      return
    }
    try update(at: path.dropLast()) { (parent) throws(DeltaFailure) in
      switch parent {
      case .map(var entries):
        parent = .null
        entries.set(value, for: last)
        parent = .map(entries)
      case .array(let elements):
        guard let index = last.integer, elements.indices.contains(index) else {
          throw DeltaFailure("there is no element \(last) in an array of \(elements.count)")
        }
        try parent.update(at: [last]) { $0 = value }
      default: throw DeltaFailure("there is nothing under \(last): the value has no parts")
      }
    }
  }

  /// Removes a map's entry or an array's element, and gives it.
  @discardableResult
  public mutating func remove(at path: [Value]) throws(DeltaFailure) -> Value {
    guard let last = path.last else { throw DeltaFailure("the root cannot be removed") }
    return try update(at: path.dropLast()) { (parent) throws(DeltaFailure) in
      switch parent {
      case .map(var entries):
        parent = .null
        defer { parent = .map(entries) }
        guard let removed = entries.removeValue(forKey: last) else {
          throw DeltaFailure("there is no entry \(last)")
        }
        return removed
      case .array(var elements):
        guard let index = last.integer, elements.indices.contains(index) else {
          throw DeltaFailure("there is no element \(last) in an array of \(elements.count)")
        }
        parent = .null
        defer { parent = .array(elements) }
        return elements.remove(at: index)
      default: throw DeltaFailure("there is nothing under \(last): the value has no parts")
      }
    }
  }

  /// Whether containers are nested `limit` deep or less. Looks no deeper than that.
  public func isNested(atMost limit: Int) -> Bool {
    switch self {
    case .array(let elements):
      limit > 0 && elements.allSatisfy { $0.isNested(atMost: limit - 1) }
    case .map(let entries):
      limit > 0
        && entries.allSatisfy {
          $0.key.isNested(atMost: limit - 1) && $0.value.isNested(atMost: limit - 1)
        }
    case .tag(_, let item): limit > 0 && item.isNested(atMost: limit - 1)
    default: limit >= 0
    }
  }
}
