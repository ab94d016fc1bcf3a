public import StateModel

extension BindingAction where Root: Mirrored {
  /// The binding of a view state as one of the state that it is a view of.
  ///
  /// The field is found by its wire name, and the value must fit it. Where the names differ, say
  /// so: `action.pullback(\.view, aliases: ["text": "title"])`. Where there is no such field, that
  /// is reported, and the binding goes through the view state, which is right in this process but
  /// cannot be sent to another.
  ///
  /// - Parameters:
  ///   - view: the computed property that gives and takes the view state.
  ///   - aliases: the parent's names of fields that are called otherwise in the view state.
  public func pullback<Parent: Mirrored>(
    _ view: any WritableKeyPath<Parent, Root> & Sendable, aliases: [String: String] = [:],
    fileID: String = #fileID, line: UInt = #line
  ) -> BindingAction<Parent> {
    if let name = field.map({ aliases[$0.name] ?? $0.name }),
      let target = Parent.bindingField(named: name),
      let apply = try? target.decode(value[...])
    {
      var pulled = BindingAction<Parent>(keyPath: target.keyPath, value: value, apply: apply)
      pulled.use = use
      return pulled
    }
    reportIssue(
      IssueReport(
        """
        A binding of \(Root.self) to '\(field?.name ?? "?")' has no counterpart in \
        \(Parent.self): there is no @BindingState field of that name and type. Give the field \
        there the same name, or name it in 'pullback(_:aliases:)'.
        """, fileID: fileID, line: line))
    let apply = apply
    var pulled = BindingAction<Parent>(
      keyPath: view, value: value, apply: { apply(&$0[keyPath: view]) })
    pulled.use = use
    return pulled
  }
}
