public import StateModel

/// Shows a value as lines that can be compared one by one: what `_printChanges` and test stores
/// show. By reflection: for people who look for a mistake, never on the way of an action.
package struct Rendering {
  /// The lines, indented by two spaces a level.
  package private(set) var lines: [String] = []

  /// The lines of a value.
  package init(_ value: Any) { append("", value, "", 0) }

  /// The difference of two values as lines that begin with `- ` (gone), `+ ` (new) or two spaces;
  /// what is far from any change is left out. Nil when they show the same.
  package static func difference(_ old: Any, _ new: Any) -> String? {
    let before = Rendering(old).lines
    let after = Rendering(new).lines
    let difference = after.difference(from: before)
    if difference.isEmpty { return nil }
    var gone: Set<Int> = []
    var come: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): gone.insert(offset)
      case .insert(let offset, _, _): come.insert(offset)
      }
    }
    var merged: [(mark: String, line: String)] = []
    var oldIndex = 0
    var newIndex = 0
    while oldIndex < before.count || newIndex < after.count {
      if oldIndex < before.count, gone.contains(oldIndex) {
        merged.append(("- ", before[oldIndex]))
        oldIndex += 1
      } else if newIndex < after.count, come.contains(newIndex) {
        merged.append(("+ ", after[newIndex]))
        newIndex += 1
      } else {
        merged.append(("  ", after[newIndex]))
        oldIndex += 1
        newIndex += 1
      }
    }
    return shortened(merged).joined(separator: "\n")
  }

  /// How many unchanged lines are shown around a change.
  private static let context = 2
  /// How deep values are shown.
  private static let maximumDepth = 24

  private static func shortened(_ lines: [(mark: String, line: String)]) -> [String] {
    var isShown = Array(repeating: false, count: lines.count)
    for index in lines.indices where lines[index].mark != "  " {
      for near in max(0, index - context)...min(lines.count - 1, index + context) {
        isShown[near] = true
      }
    }
    var shown: [String] = []
    var isGap = false
    for index in lines.indices {
      if isShown[index] {
        shown.append(lines[index].mark + lines[index].line)
      } else if !isGap {
        shown.append("  …")
      }
      isGap = !isShown[index]
    }
    return shown
  }

  private mutating func append(_ label: String, _ value: Any, _ end: String, _ depth: Int) {
    let indent = String(repeating: "  ", count: depth)
    if let unwrapped = Self.unwrapped(value) { return append(label, unwrapped, end, depth) }
    if let text = value as? String {
      lines.append("\(indent)\(label)\(text.debugDescription)\(end)")
      return
    }
    let mirror = Mirror(reflecting: value)
    if value is any CustomStringConvertible || depth >= Self.maximumDepth,
      mirror.displayStyle != .collection, mirror.displayStyle != .dictionary,
      mirror.displayStyle != .set, mirror.displayStyle != .optional
    {
      lines.append("\(indent)\(label)\(value)\(end)")
      return
    }
    switch mirror.displayStyle {
    case .optional:
      if let child = mirror.children.first {
        append(label, child.value, end, depth)
      } else {
        lines.append("\(indent)\(label)nil\(end)")
      }
    case .enum:
      guard let payload = mirror.children.first else {
        lines.append("\(indent)\(label).\(value)\(end)")
        return
      }
      let name = "\(indent)\(label).\(payload.label ?? "?")"
      let parts = Mirror(reflecting: payload.value)
      if parts.displayStyle == .tuple {
        append(children: Array(parts.children), name + "(", ")" + end, depth)
      } else {
        append(children: [(nil, payload.value)], name + "(", ")" + end, depth)
      }
    case .collection, .set:
      var elements = Array(mirror.children)
      if mirror.displayStyle == .set { elements.sort { "\($0.value)" < "\($1.value)" } }
      append(children: elements.map { (nil, $0.value) }, "\(indent)\(label)[", "]" + end, depth)
    case .dictionary:
      let entries = mirror.children.compactMap { child -> (label: String?, value: Any)? in
        let pair = Array(Mirror(reflecting: child.value).children)
        return pair.count == 2 ? ("\(pair[0].value)", pair[1].value) : nil
      }
      append(
        children: entries.sorted { $0.label ?? "" < $1.label ?? "" }, "\(indent)\(label)[",
        "]" + end, depth)
    case .tuple:
      append(children: Array(mirror.children), "\(indent)\(label)(", ")" + end, depth)
    default:
      let name = "\(type(of: value))"
      append(children: Array(mirror.children), "\(indent)\(label)\(name)(", ")" + end, depth)
    }
  }

  private mutating func append(
    children: [(label: String?, value: Any)], _ begin: String, _ end: String, _ depth: Int
  ) {
    if children.isEmpty {
      lines.append(begin + end)
      return
    }
    lines.append(begin)
    for (index, child) in children.enumerated() {
      // A property in a wrapper is stored under its name with an underscore; `.0` is no label.
      let name = child.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 } ?? ""
      let label = name.isEmpty || name.hasPrefix(".") ? "" : name + ": "
      append(label, child.value, index == children.count - 1 ? "" : ",", depth + 1)
    }
    lines.append(String(repeating: "  ", count: depth) + end)
  }

  /// What a wrapper of ours holds: the wrapper itself is of no interest.
  private static func unwrapped(_ value: Any) -> Any? {
    (value as? any TransparentlyRendered)?.renderedValue
  }
}

/// A wrapper that is shown as what it holds.
package protocol TransparentlyRendered {
  var renderedValue: Any { get }
}

extension BindingState: TransparentlyRendered {
  package var renderedValue: Any { wrappedValue }
}

extension PresentationState: TransparentlyRendered {
  package var renderedValue: Any { wrappedValue as Any }
}

extension ViewStateBinding: TransparentlyRendered {
  package var renderedValue: Any { wrappedValue }
}

extension IdentifiedArray: TransparentlyRendered {
  package var renderedValue: Any { elements }
}
