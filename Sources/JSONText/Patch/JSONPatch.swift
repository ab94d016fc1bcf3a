public import StateModel

/// A JSON patch (RFC 6902): operations that are applied in order, all or none.
public struct JSONPatch: Equatable, Sendable {
  /// One operation.
  public enum Operation: Equatable, Sendable {
    /// Adds a member or inserts an element; replaces a member that exists.
    case add(JSONPointer, Value)
    /// Removes what exists.
    case remove(JSONPointer)
    /// Replaces what exists.
    case replace(JSONPointer, Value)
    /// Removes what exists and adds it elsewhere.
    case move(from: JSONPointer, to: JSONPointer)
    /// Adds what exists elsewhere as well.
    case copy(from: JSONPointer, to: JSONPointer)
    /// Fails, and with it the patch, unless this value is there.
    case test(JSONPointer, Value)
  }

  /// The operations, in order.
  public var operations: [Operation]

  /// A patch of these operations.
  public init(_ operations: [Operation]) { self.operations = operations }

  /// What a patch may make of a value.
  public struct Bounds: Sendable {
    /// How deep the whole may be nested after each operation.
    public var depth: Int
    /// How many bytes, about, all `copy` operations together may copy: a few of them, each copying
    /// what the one before made, would else make a value that no memory holds.
    public var copied: Int

    /// Bounds; by default as deep as can be read again, and as much copied as a request can hold.
    public init(depth: Int = JSONText.maximumDepth, copied: Int = 1 << 20) {
      self.depth = depth
      self.copied = copied
    }
  }

  /// Applies all operations to `value`, or none: a failure names the operation.
  public func apply(
    to value: inout Value, bounds: Bounds = Bounds()
  ) throws(JSONPatchFailure) {
    var copy = value
    var left = bounds
    for (index, operation) in operations.enumerated() {
      do { try operation.apply(to: &copy, bounds: &left) } catch {
        throw JSONPatchFailure(operation: index, name: operation.name, edit: error)
      }
    }
    value = copy
  }
}

extension JSONPatch.Operation {
  /// The operation's name in a patch.
  public var name: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .move: "move"
    case .copy: "copy"
    case .test: "test"
    }
  }

  /// Applies this operation alone; leaves the value as it was when it throws.
  func apply(
    to value: inout Value, bounds: inout JSONPatch.Bounds
  ) throws(JSONEditFailure) {
    switch self {
    case .add(let path, let new): try value.add(new, at: path, depth: bounds.depth)
    case .remove(let path): try value.remove(at: path)
    case .replace(let path, let new): try value.replace(at: path, with: new, depth: bounds.depth)
    case .copy(let from, let path):
      let part = try value.part(at: from)
      guard let weight = part.weight(atMost: bounds.copied) else {
        throw JSONEditFailure(
          .invalid, "the patch copies more than one patch may: split it", at: path)
      }
      bounds.copied -= weight
      try value.add(part, at: path, depth: bounds.depth)
    case .move(let from, let path):
      try Self.move(in: &value, from: from, to: path, depth: bounds.depth)
    case .test(let path, let expected):
      let present = try value.part(at: path)
      guard present.isEqualJSON(to: expected) else {
        throw JSONEditFailure(
          .testFailed,
          "\(path.orRoot) is \(Self.excerpt(present)), not \(Self.excerpt(expected))", at: path)
      }
    }
  }

  private static func move(
    in value: inout Value, from: JSONPointer, to path: JSONPointer, depth: Int
  ) throws(JSONEditFailure) {
    guard !path.isWithin(from) else {
      throw JSONEditFailure(
        .invalid, "\(from.orRoot) cannot be moved into a part of itself, \(path)", at: path)
    }
    let moved = try value.part(at: from)
    guard from != path else { return }
    var copy = value
    try copy.remove(at: from)
    try copy.add(moved, at: path, depth: depth)
    value = copy
  }

  /// The beginning of a value's text, for a message.
  private static func excerpt(_ value: Value) -> String {
    if let count = value.entries?.count ?? value.elements?.count, count > 8 {
      return (value.elements == nil ? "an object of" : "an array of") + " \(count) parts"
    }
    let text = JSONText.display(value)
    return text.utf8.count <= 60 ? text : String(text.unicodeScalars.prefix(57)) + "…"
  }
}

/// Why a patch does not apply: nothing of it is.
public struct JSONPatchFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// Which operation, from 0.
  public var operation: Int
  /// Its name.
  public var name: String
  /// Why it does not fit.
  public var edit: JSONEditFailure

  /// The operation, counted from 1 as people do, and the reason.
  public var description: String { "operation \(operation + 1) (\(name)): \(edit.message)" }
}
