/// Tells case paths apart: by where they are written, or by name.
package struct CasePathID: Hashable, Sendable {
  let root: ObjectIdentifier
  let name: String
  let line: UInt
  /// The rest of a path through several cases.
  var inner: [CasePathID] = []
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

  /// A case by its name; for generated code.
  public init(
    name: String, embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.embed = embed
    self.extract = extract
    id = CasePathID(root: ObjectIdentifier(Root.self), name: name, line: 0)
  }

  /// The way through this case to one inside it.
  public func appending<Inner>(_ inner: CasePath<Value, Inner>) -> CasePath<Root, Inner> {
    var id = id
    id.inner.append(inner.id)
    return CasePath<Root, Inner>(
      id: id, embed: { embed(inner.embed($0)) },
      extract: { extract($0).flatMap(inner.extract) })
  }

  private init(
    id: CasePathID, embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.id = id
    self.embed = embed
    self.extract = extract
  }
}

/// An enum that lists the ways to its cases, so that they are written as key paths:
/// `Scope(state: \.counter, action: \.counter)`, `ifLet(\.$alert, action: \.alert)`,
/// `receive(\.answered)`. The macro of this name writes them:
///
///     @CasePathable @Mirrored enum AppAction {
///       case counter(CounterAction)
///     }
public protocol CasePathable {
  /// Has a property of type `CasePath` for each case.
  associatedtype AllCasePaths
  /// The ways to the cases.
  static var allCasePaths: AllCasePaths { get }
}

/// Makes an enum `CasePathable`: key paths lead to its cases.
@attached(member, names: named(AllCasePaths), named(allCasePaths))
@attached(extension, conformances: CasePathable)
public macro CasePathable() =
  #externalMacro(module: "StateMacros", type: "CasePathableMacro")

/// The way to a case by its name in `AllCasePaths`.
public typealias CaseKeyPath<Root: CasePathable, Value> = KeyPath<
  Root.AllCasePaths, CasePath<Root, Value>
>
