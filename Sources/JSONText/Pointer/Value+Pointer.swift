public import StateModel

/// Reading and editing parts of a `Value` that JSON pointers name.
///
/// Maps are stepped into by their text keys, arrays by indices; nothing else has parts. An edit
/// that fails leaves the value as it was.
extension Value {
  /// The part at `pointer`; nil when there is none.
  public subscript(pointer: JSONPointer) -> Value? { try? part(at: pointer) }

  /// The part at `pointer`, or why there is none.
  public func part(at pointer: JSONPointer) throws(JSONEditFailure) -> Value {
    var part = self
    for depth in pointer.tokens.indices {
      part = try part.child(pointer, depth)
    }
    return part
  }

  /// Puts a value at `pointer`: a member is added or replaced, an element is inserted before the
  /// one at that index (`-`: behind the last), the root is replaced.
  ///
  /// - Parameter depth: how deep the whole may be nested then.
  public mutating func add(
    _ value: Value, at pointer: JSONPointer, depth: Int = JSONText.maximumDepth
  ) throws(JSONEditFailure) {
    try Self.check(value, pointer, depth)
    guard let last = pointer.tokens.last else {
      self = value
      return
    }
    try edit(pointer, depth: 0, end: pointer.tokens.count - 1) {
      (container) throws(JSONEditFailure) in
      switch container {
      case .map: container[last] = value
      case .array(var elements):
        let index = try Self.index(last, pointer, limit: elements.count, orEnd: true)
        container = .null
        elements.insert(value, at: index)
        container = .array(elements)
      default: throw container.hasNoParts(pointer, pointer.tokens.count - 1)
      }
    }
  }

  /// Removes the member or element at `pointer` and gives it back. The root cannot be removed.
  @discardableResult
  public mutating func remove(at pointer: JSONPointer) throws(JSONEditFailure) -> Value {
    guard let last = pointer.tokens.last else {
      throw JSONEditFailure(
        .invalid, "the whole document cannot be removed: replace it by null", at: pointer)
    }
    return try edit(pointer, depth: 0, end: pointer.tokens.count - 1) {
      (container) throws(JSONEditFailure) in
      let old = try container.child(pointer, pointer.tokens.count - 1)
      if case .array(var elements) = container, let index = JSONPointer.index(last) {
        container = .null
        elements.remove(at: index)
        container = .array(elements)
      } else {
        container[last] = nil
      }
      return old
    }
  }

  /// Replaces what is at `pointer`, and gives the old value back.
  ///
  /// - Parameter depth: how deep the whole may be nested then.
  @discardableResult
  public mutating func replace(
    at pointer: JSONPointer, with value: Value, depth: Int = JSONText.maximumDepth
  ) throws(JSONEditFailure) -> Value {
    try Self.check(value, pointer, depth)
    return try edit(at: pointer) { (part) throws(JSONEditFailure) in
      defer { part = value }
      return part
    }
  }

  /// Changes the part at `pointer` in place; what `body` throws must leave the part as it was.
  public mutating func edit<Result>(
    at pointer: JSONPointer, _ body: (inout Value) throws(JSONEditFailure) -> Result
  ) throws(JSONEditFailure) -> Result {
    try edit(pointer, depth: 0, end: pointer.tokens.count, body)
  }

  private mutating func edit<Result>(
    _ pointer: JSONPointer, depth: Int, end: Int,
    _ body: (inout Value) throws(JSONEditFailure) -> Result
  ) throws(JSONEditFailure) -> Result {
    guard depth < end else { return try body(&self) }
    let token = pointer.tokens[depth]
    switch self {
    case .map(var entries):
      // Emptied meanwhile, here and below, so that storage has one owner and is changed in place.
      self = .null
      defer { self = .map(entries) }
      let result = try entries.update(.text(token)) { (part) throws(JSONEditFailure) in
        try part.edit(pointer, depth: depth + 1, end: end, body)
      }
      if let result { return result }
      throw Self.noMember(pointer, depth)
    case .array(var elements):
      let index = try Self.index(token, pointer, limit: elements.count - 1, orEnd: false)
      var part = elements[index]
      self = .null
      elements[index] = .null
      defer {
        elements[index] = part
        self = .array(elements)
      }
      return try part.edit(pointer, depth: depth + 1, end: end, body)
    default: throw hasNoParts(pointer, depth)
    }
  }

  private static func check(
    _ value: Value, _ pointer: JSONPointer, _ depth: Int
  ) throws(JSONEditFailure) {
    guard value.isNested(atMost: depth - pointer.tokens.count) else {
      throw JSONEditFailure(
        .invalid, "the value would be nested deeper than \(depth): flatten it", at: pointer)
    }
  }

  /// The part that the pointer's token at `depth` names in this value.
  private func child(_ pointer: JSONPointer, _ depth: Int) throws(JSONEditFailure) -> Value {
    let token = pointer.tokens[depth]
    switch self {
    case .map:
      guard let member = self[token] else { throw Self.noMember(pointer, depth) }
      return member
    case .array(let elements):
      return elements[try Self.index(token, pointer, limit: elements.count - 1, orEnd: false)]
    default: throw hasNoParts(pointer, depth)
    }
  }

  private static func noMember(_ pointer: JSONPointer, _ depth: Int) -> JSONEditFailure {
    let parent = JSONPointer(Array(pointer.tokens.prefix(depth)))
    return JSONEditFailure(
      .notFound, "there is no “\(pointer.tokens[depth])” in the object at \(parent.orRoot)",
      at: pointer)
  }

  private func hasNoParts(_ pointer: JSONPointer, _ depth: Int) -> JSONEditFailure {
    let here = JSONPointer(Array(pointer.tokens.prefix(depth)))
    return JSONEditFailure(
      .notFound, "\(kindName) at \(here.orRoot) has no part “\(pointer.tokens[depth])”",
      at: pointer)
  }

  private static func index(
    _ token: String, _ pointer: JSONPointer, limit: Int, orEnd: Bool
  ) throws(JSONEditFailure) -> Int {
    if token == "-", orEnd { return limit }
    guard let index = JSONPointer.index(token) else {
      throw JSONEditFailure(
        .notFound,
        "“\(token)” is no index of an array: write digits without a leading zero"
          + (orEnd ? ", or - for the end" : ""), at: pointer)
    }
    guard index <= limit else {
      let count = orEnd ? limit : limit + 1
      throw JSONEditFailure(
        .notFound,
        "index \(index) is beyond the array, which has \(count) element\(count == 1 ? "" : "s")",
        at: pointer)
    }
    return index
  }

  /// What kind of value this is, for a message.
  var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "the boolean"
    case .unsigned, .negative, .float: "the number"
    case .text: "the text"
    case .bytes: "the byte string"
    case .array: "the array"
    case .map: "the object"
    case .tag: "the tagged item"
    }
  }
}

extension JSONPointer {
  /// The pointer, or a word for the root.
  var orRoot: String { tokens.isEmpty ? "the root" : description }
}

/// Why an edit does not fit the value: nothing is changed.
public struct JSONEditFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: String, Sendable {
    /// The place does not exist.
    case notFound = "not-found"
    /// A `test` found another value.
    case testFailed = "test-failed"
    /// The edit can never fit.
    case invalid
  }

  /// The kind of failure.
  public var code: Code
  /// What happened.
  public var message: String
  /// The place that the edit named.
  public var path: JSONPointer

  /// A failure at a place.
  public init(_ code: Code, _ message: String, at path: JSONPointer) {
    self.code = code
    self.message = message
    self.path = path
  }

  /// The message.
  public var description: String { message }
}
