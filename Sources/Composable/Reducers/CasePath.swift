/// Tells case paths apart: by where they are written, or by name.
package struct CasePathID: Hashable, Sendable {
  let root: ObjectIdentifier
  let name: String
  let line: UInt
}

/// The way to one case of an enum: puts a value into it, and takes it out again.
public struct CasePath<Root, Value>: Sendable {
  /// Puts a value into the case.
  public let embed: @Sendable (Value) -> Root
  /// Takes the value out, if it is that case.
  public let extract: @Sendable (Root) -> Value?
  package let id: CasePathID

  /// A case from its constructor, and what it carries if it is that one:
  ///
  ///     CasePath(AppAction.counter) { if case .counter(let action) = $0 { action } else { nil } }
  public init(
    _ embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?, fileID: String = #fileID, line: UInt = #line
  ) {
    self.embed = embed
    self.extract = extract
    id = CasePathID(root: ObjectIdentifier(Root.self), name: fileID, line: line)
  }

  /// A case by its name: for generated code.
  public init(
    name: String, embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.embed = embed
    self.extract = extract
    id = CasePathID(root: ObjectIdentifier(Root.self), name: name, line: 0)
  }
}
