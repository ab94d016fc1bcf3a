import StateModel

/// What the schema has to say about an action or a field that the daemon refused.
extension SchemaGuide {
  /// What was named on the command line.
  enum Subject {
    /// `counter.incrementButtonTapped`, or an action in JSON.
    case action(String)
    case field(String)
  }

  /// The most names that are listed in one line.
  private static let listed = 12

  /// What was probably meant, as the end of a sentence; empty when nothing is near.
  func meant(_ subject: Subject) -> String {
    switch subject {
    case .action(let name): Arguments.near(name, actionNames)
    case .field(let name): Arguments.near(name, bindings.names)
    }
  }

  /// What it takes: `It takes: send tasks.add {"title": text}`; nil where there is none of that name.
  func shown(_ subject: Subject) -> String? {
    switch subject {
    case .field(let name):
      return line(forField: name).map { "It takes: \($0)" }
    case .action(let name):
      let within = actions.filter { $0.name.hasPrefix(name + ".") }.map(\.name)
      if within.isEmpty {
        return actions.first { $0.name == name }.map { "It takes: \(line(for: $0))" }
      }
      let more = within.count > Self.listed ? ", …" : ""
      return "There are \(within.prefix(Self.listed).joined(separator: ", "))\(more)."
    }
  }

  /// `set tasks.task.3.isDone true|false`.
  private func line(forField name: String) -> String? {
    bindings.field(named: name).map { "set \(name) \(text(of: $0.type))" }
  }
}
