import JSONText
public import StateModel

extension Workspace.Action {
  /// The actions that load a document of any size, each at most about `bytes` encoded: a request
  /// holds only so much.
  ///
  /// A small document is one `load`. A larger one is loaded with its large arrays and objects
  /// empty, which are filled piece by piece: others see it grow.
  ///
  /// - Throws: when a single text or name in it is larger than `bytes`.
  public static func loading(
    _ document: Value, as name: String, atMost bytes: Int = 256 << 10
  ) throws(WorkspaceLoadingFailure) -> [Workspace.Action] {
    var loader = DocumentLoader(limit: bytes)
    let skeleton = try loader.skeleton(of: document, at: JSONPointer([name]))
    return [.load(name: name, document: skeleton)] + loader.pieces
  }
}

/// A part of a document that is too large to be sent.
public struct WorkspaceLoadingFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is too large, and what the limit is.
  public var message: String

  /// The message.
  public var description: String { message }
}

/// Takes a document apart: what is left empty in the skeleton is in `pieces`, outer ones first.
private struct DocumentLoader {
  let limit: Int
  var pieces: [Workspace.Action] = []

  /// An operation around its pointer and its value, encoded: of an array of numbers most is this.
  private static let operationBytes = 32

  init(limit: Int) { self.limit = limit }

  mutating func skeleton(
    of value: Value, at path: JSONPointer
  ) throws(WorkspaceLoadingFailure) -> Value {
    let size = value.encoded().count
    if size <= limit { return value }
    switch value {
    case .array(let elements):
      try fill(path, elements.map { ("-", $0) })
      return .array([])
    case .map(let entries):
      try fill(path, entries.map { ($0.key.string ?? "", $0.value) })
      return .map([:])
    default:
      throw WorkspaceLoadingFailure(
        message: "the text at \(path) takes \(size) bytes, and one action holds \(limit)")
    }
  }

  /// Adds the parts to the empty container at `path`, as many in one patch as it holds.
  private mutating func fill(
    _ path: JSONPointer, _ parts: [(token: String, value: Value)]
  ) throws(WorkspaceLoadingFailure) {
    var operations: [JSONPatch.Operation] = []
    var bytes = 0
    for (index, part) in parts.enumerated() {
      let pointer = JSONPointer([part.token])
      let named = pointer.description.utf8.count + Self.operationBytes
      if named > limit {
        throw WorkspaceLoadingFailure(
          message: "a name at \(path) takes \(part.token.utf8.count) bytes,"
            + " and one action holds \(limit)")
      }
      let size = part.value.encoded().count + named
      if bytes + size > limit { flush(&operations, &bytes, at: path) }
      if size > limit {
        // An element's own path is its index, since all before it have been added.
        let token = part.token == "-" ? String(index) : part.token
        let place = pieces.count
        let skeleton = try skeleton(of: part.value, at: path.appending(token))
        let add = JSONPatch([.add(pointer, skeleton)])
        pieces.insert(.patch(path: path.description, operations: add.value), at: place)
      } else {
        operations.append(.add(pointer, part.value))
        bytes += size
      }
    }
    flush(&operations, &bytes, at: path)
  }

  private mutating func flush(
    _ operations: inout [JSONPatch.Operation], _ bytes: inout Int, at path: JSONPointer
  ) {
    if operations.isEmpty { return }
    pieces.append(.patch(path: path.description, operations: JSONPatch(operations).value))
    operations = []
    bytes = 0
  }
}
