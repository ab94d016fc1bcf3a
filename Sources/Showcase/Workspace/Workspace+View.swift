import JSONText
public import StateModel

extension Workspace.State {
  /// The part of the documents at a path, which is the parameter of the view `workspace`: an empty
  /// one gives all documents. What is not there is `null`, until it is.
  public func part(at path: String) throws(WorkspacePathFailure) -> Value {
    do { return documents[try JSONPointer(parsing: path)] ?? .null } catch {
      throw WorkspacePathFailure(message: error.message)
    }
  }
}

/// A view's path that is no JSON pointer.
public struct WorkspacePathFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with it.
  public var message: String

  /// The message.
  public var description: String { message }
}
