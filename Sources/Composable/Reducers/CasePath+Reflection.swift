extension CasePath {
  /// A case from its constructor alone: `CasePath(AppAction.counter)`.
  ///
  /// What a value carries is found by reflection, which costs about a microsecond: where actions
  /// come in by the thousand, give `extract` too, or make the enum `@CasePathable`.
  public init(
    _ embed: @escaping @Sendable (Value) -> Root, fileID: String = #fileID, line: UInt = #line
  ) {
    self.init(embed, extract: { payload(of: $0, in: embed) }, fileID: fileID, line: line)
  }
}

prefix operator /

/// The case whose constructor stands behind the slash: `/AppAction.counter`.
public prefix func / <Root, Value>(
  embed: @escaping @Sendable (Value) -> Root
) -> CasePath<Root, Value> {
  // All slashes stand on this line: the name of the payload's type tells most of them apart.
  CasePath(name: "\(Value.self)", embed: embed, extract: { payload(of: $0, in: embed) })
}

/// What `root` carries, if putting that into the case gives the same case again.
private func payload<Root, Value>(of root: Root, in embed: (Value) -> Root) -> Value? {
  guard let (label, content) = carried(by: root) else { return nil }
  // A single labelled payload is reflected as a tuple of one.
  let value = content as? Value ?? Mirror(reflecting: content).children.first?.value as? Value
  guard let value, carried(by: embed(value))?.label == label else { return nil }
  return value
}

private func carried(by root: some Any) -> (label: String, content: Any)? {
  let mirror = Mirror(reflecting: root)
  guard mirror.displayStyle == .enum, let child = mirror.children.first, let label = child.label
  else { return nil }
  return (label, child.value)
}
