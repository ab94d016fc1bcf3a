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
  public mutating func add(
    _ value: Value, at pointer: JSONPointer
  ) throws(JSONEditFailure) {
    guard let last = pointer.tokens.last else {
      self = value
      return
    }
    try editContainer(of: pointer) { (container) throws(JSONEditFailure) in
      if container.isMap {
        container.setMember(last, value)
      } else if let count = container.elementCount {
        let index = try Self.index(last, pointer, limit: count, orEnd: true)
        container.replaceElements(index..<index, with: [value])
      } else {
        throw container.hasNoParts(pointer, pointer.tokens.count - 1)
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
    return try editContainer(of: pointer) { (container) throws(JSONEditFailure) in
      let old = try container.child(pointer, pointer.tokens.count - 1)
      if container.isMap {
        container.removeMember(last)
      } else if let index = JSONPointer.index(last) {
        container.replaceElements(index..<index + 1, with: [])
      }
      return old
    }
  }

  /// Replaces what is at `pointer`, and gives the old value back.
  @discardableResult
  public mutating func replace(
    at pointer: JSONPointer, with value: Value
  ) throws(JSONEditFailure) -> Value {
    try edit(at: pointer) { (part) throws(JSONEditFailure) in
      defer { part = value }
      return part
    }
  }

  /// Changes the part at `pointer` in place.
  public mutating func edit<Result>(
    at pointer: JSONPointer, _ body: (inout Value) throws(JSONEditFailure) -> Result
  ) throws(JSONEditFailure) -> Result {
    try edit(pointer, depth: 0, end: pointer.tokens.count, body)
  }

  private mutating func editContainer<Result>(
    of pointer: JSONPointer, _ body: (inout Value) throws(JSONEditFailure) -> Result
  ) throws(JSONEditFailure) -> Result {
    try edit(pointer, depth: 0, end: pointer.tokens.count - 1, body)
  }

  private mutating func edit<Result>(
    _ pointer: JSONPointer, depth: Int, end: Int,
    _ body: (inout Value) throws(JSONEditFailure) -> Result
  ) throws(JSONEditFailure) -> Result {
    guard depth < end else { return try body(&self) }
    var part = try child(pointer, depth)
    let result = try part.edit(pointer, depth: depth + 1, end: end, body)
    let token = pointer.tokens[depth]
    if isMap {
      setMember(token, part)
    } else if let index = JSONPointer.index(token) {
      replaceElements(index..<index + 1, with: [part])
    }
    return result
  }

  /// The part that the pointer's token at `depth` names in this value.
  private func child(_ pointer: JSONPointer, _ depth: Int) throws(JSONEditFailure) -> Value {
    let token = pointer.tokens[depth]
    if isMap {
      if let member = member(token) { return member }
      let parent = JSONPointer(Array(pointer.tokens.prefix(depth)))
      throw JSONEditFailure(
        .notFound, "there is no “\(token)” in the object at \(parent.orRoot)",
        at: pointer)
    }
    if let count = elementCount {
      return element(try Self.index(token, pointer, limit: count - 1, orEnd: false))
    }
    throw hasNoParts(pointer, depth)
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
