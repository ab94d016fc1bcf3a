public import JSONText
public import StateModel

extension Workspace.State {
  /// The part of the documents at a path, which is the parameter of the view `workspace`: the root
  /// gives all documents. What is not there is `null`, until it is.
  public func part(at path: JSONPointer) -> Value { documents[path] ?? .null }
}
