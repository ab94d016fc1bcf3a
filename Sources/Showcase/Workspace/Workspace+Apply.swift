import Composable
import JSONText
import StateModel

extension Workspace.Action {
  /// Changes the documents, or throws what the sender is told; the documents may be half changed
  /// then, as everything is after a rejection.
  func apply(to documents: inout Value) throws(Rejection) {
    switch self {
    case .set(let path, let value), .put(let path, let value):
      let pointer = try Self.pointer(path)
      try Self.editing { () throws(JSONEditFailure) in
        if case .put = self { try documents.addParents(of: pointer) }
        if documents[pointer] != nil {
          try documents.replace(at: pointer, with: value, depth: Workspace.maximumDepth)
        } else {
          try documents.add(value, at: pointer, depth: Workspace.maximumDepth)
        }
      }
    case .remove(let path):
      let pointer = try Self.pointer(path)
      try Self.editing { () throws(JSONEditFailure) in try documents.remove(at: pointer) }
    case .merge(let path, let patch):
      try Self.update(&documents, path, absent: .map([:])) { (value) throws(JSONEditFailure) in
        value.merge(patch)
      }
      try Self.checkDepth(patch, path)
    case .increment(let path, let amount):
      let pointer = try Self.pointer(path)
      try Self.update(&documents, path, absent: .unsigned(0)) { (value) throws(JSONEditFailure) in
        value = try value.adding(amount, at: pointer)
      }
    case .append(let path, let item):
      try Self.checkDepth(.array([item]), path)
      let pointer = try Self.pointer(path)
      try Self.update(&documents, path, absent: .array([])) { (value) throws(JSONEditFailure) in
        try value.append(item, at: pointer)
      }
    case .edit(let path, let offset, let removed, let inserted):
      let pointer = try Self.pointer(path)
      try Self.editing { () throws(JSONEditFailure) in
        try documents.edit(at: pointer) { (value) throws(JSONEditFailure) in
          try value.splice(offset: offset, removed: removed, inserted: inserted, at: pointer)
        }
      }
    case .patch(let path, let operations):
      try Self.patch(&documents, path, operations)
    case .load(let name, let document):
      guard !name.isEmpty, name.utf8.count <= Workspace.longestName else {
        throw Rejection(
          code: "invalid",
          "a document's name has 1 to \(Workspace.longestName) bytes, not \(name.utf8.count)")
      }
      try Self.checkDepth(document, JSONPointer([name]).description)
      documents[name] = document
    }
    guard case .map = documents else {
      throw Rejection(
        code: "invalid", "the root of the workspace is an object of documents: name one in the path"
      )
    }
  }

  private static func patch(
    _ documents: inout Value, _ path: String, _ operations: Value
  ) throws(Rejection) {
    let pointer = try Self.pointer(path)
    let patch: JSONPatch
    do { patch = try JSONPatch(operations) } catch {
      throw Rejection(code: "invalid", error.message)
    }
    let bounds = JSONPatch.Bounds(depth: Workspace.maximumDepth - pointer.tokens.count)
    var refusal: JSONPatchFailure?
    try editing { () throws(JSONEditFailure) in
      try documents.edit(at: pointer) { (value) throws(JSONEditFailure) in
        do throws(JSONPatchFailure) {
          try patch.apply(to: &value, bounds: bounds)
        } catch {
          refusal = error
        }
      }
    }
    guard let refusal else { return }
    let place = JSONPointer(pointer.tokens + refusal.edit.path.tokens)
    throw Rejection(JSONEditFailure(refusal.edit.code, refusal.description, at: place))
  }

  /// Changes the value at a path, which may be absent if its parent is there.
  private static func update(
    _ documents: inout Value, _ path: String, absent: Value,
    _ body: (inout Value) throws(JSONEditFailure) -> Void
  ) throws(Rejection) {
    let pointer = try Self.pointer(path)
    try editing { () throws(JSONEditFailure) in
      if documents[pointer] == nil {
        try documents.add(absent, at: pointer, depth: Workspace.maximumDepth)
      }
      try documents.edit(at: pointer, body)
    }
  }

  private static func checkDepth(_ value: Value, _ path: String) throws(Rejection) {
    let pointer = try pointer(path)
    guard value.isNested(atMost: Workspace.maximumDepth - pointer.tokens.count) else {
      throw Rejection(
        code: "invalid",
        "the value would be nested deeper than \(Workspace.maximumDepth): flatten it",
        path: pointer.tokens.map(Value.text))
    }
  }

  private static func pointer(_ path: String) throws(Rejection) -> JSONPointer {
    do { return try JSONPointer(parsing: path) } catch {
      throw Rejection(code: "invalid", error.message)
    }
  }

  private static func editing<Result>(
    _ body: () throws(JSONEditFailure) -> Result
  ) throws(Rejection) {
    do { _ = try body() } catch { throw Rejection(error) }
  }
}

extension Value {
  /// Adds an empty object for each parent of a place that is not there.
  fileprivate mutating func addParents(of place: JSONPointer) throws(JSONEditFailure) {
    // Too deep is refused before anything is built.
    guard place.tokens.count <= Workspace.maximumDepth else { return }
    for count in place.tokens.indices.dropFirst() {
      let parent = JSONPointer(Array(place.tokens[..<count]))
      if self[parent] == nil {
        try add(.map([:]), at: parent, depth: Workspace.maximumDepth)
      }
    }
  }
}

extension Rejection {
  /// What the sender of an edit that does not fit is told.
  init(_ failure: JSONEditFailure) {
    let code =
      switch failure.code {
      case .notFound: "rejected"
      case .testFailed: "conflict"
      case .invalid: "invalid"
      }
    self.init(code: code, failure.message, path: failure.path.tokens.map(Value.text))
  }
}
