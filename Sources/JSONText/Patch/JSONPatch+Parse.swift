public import StateModel

extension JSONPatch {
  /// Reads a patch from a JSON text.
  public init(parsing text: String) throws(JSONPatchParsingFailure) {
    let value: Value
    do { value = try JSONText.parse(text) } catch {
      throw JSONPatchParsingFailure(message: "the patch is not JSON: \(error)")
    }
    try self.init(value)
  }

  /// Reads a patch from a JSON value: an array of objects. Members that RFC 6902 does not know are
  /// ignored, as it says.
  public init(_ value: Value) throws(JSONPatchParsingFailure) {
    guard let elements = value.elements else {
      throw JSONPatchParsingFailure(
        message: "a patch is an array of operations, not \(value.kindName)")
    }
    operations = []
    operations.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      operations.append(try Self.operation(element, index))
    }
  }

  private static func operation(
    _ value: Value, _ index: Int
  ) throws(JSONPatchParsingFailure) -> Operation {
    let object = OperationObject(value: value, index: index)
    let name = try object.text("op")
    switch name {
    case "add": return .add(try object.pointer("path"), try object.value("value"))
    case "remove": return .remove(try object.pointer("path"))
    case "replace": return .replace(try object.pointer("path"), try object.value("value"))
    case "move": return .move(from: try object.pointer("from"), to: try object.pointer("path"))
    case "copy": return .copy(from: try object.pointer("from"), to: try object.pointer("path"))
    case "test": return .test(try object.pointer("path"), try object.value("value"))
    default:
      throw object.failure(
        "there is no operation “\(name)”: there are add, remove, replace, move, copy and test")
    }
  }

  private struct OperationObject {
    var value: Value
    var index: Int

    func failure(_ message: String) -> JSONPatchParsingFailure {
      JSONPatchParsingFailure(message: "operation \(index + 1): \(message)")
    }

    func value(_ name: String) throws(JSONPatchParsingFailure) -> Value {
      guard value.entries != nil else {
        throw failure("an operation is an object, not \(value.kindName)")
      }
      guard let member = value[name] else { throw failure("“\(name)” is missing") }
      return member
    }

    func text(_ name: String) throws(JSONPatchParsingFailure) -> String {
      let member = try value(name)
      guard let text = member.string else {
        throw failure("“\(name)” is a text, not \(member.kindName)")
      }
      return text
    }

    func pointer(_ name: String) throws(JSONPatchParsingFailure) -> JSONPointer {
      let text = try text(name)
      do { return try JSONPointer(parsing: text) } catch { throw failure("“\(name)”: \(error)") }
    }
  }

  /// The patch as a JSON value.
  public var value: Value {
    .array(
      operations.map { operation in
        var members: ValueMap = ["op": .text(operation.name)]
        switch operation {
        case .add(let path, let value), .replace(let path, let value), .test(let path, let value):
          members["path"] = .text(path.description)
          members["value"] = value
        case .remove(let path): members["path"] = .text(path.description)
        case .move(let from, let path), .copy(let from, let path):
          members["from"] = .text(from.description)
          members["path"] = .text(path.description)
        }
        return .map(members)
      })
  }
}

/// Why a value or text is no RFC 6902 patch.
public struct JSONPatchParsingFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, and where.
  public var message: String

  /// The message.
  public var description: String { message }
}
