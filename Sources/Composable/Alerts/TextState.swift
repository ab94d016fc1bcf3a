public import StateModel

/// A text for a person: as it stands, or by a key and arguments that each client puts into its own
/// language, or several of them one behind the other.
///
/// On the wire a text that stands as it is is a CBOR text, one by key the map `{"key": key,
/// "arguments": […]}`, several an array of these.
public struct TextState: Hashable, Sendable {
  /// One piece of a text.
  public enum Part: Hashable, Sendable {
    /// Shown as it is.
    case verbatim(String)
    /// Looked up by each client in its own language.
    case localized(key: String, arguments: [Value])
  }

  /// The pieces in order.
  public private(set) var parts: [Part]

  private init(parts: [Part]) { self.parts = parts }

  /// A text that is shown as it is.
  public init(_ text: String) { parts = [.verbatim(text)] }

  /// A text that is shown as it is.
  public init(verbatim text: String) { self.init(text) }

  /// A text that each client looks up in its own language.
  public init(key: String, _ arguments: Value...) {
    parts = [.localized(key: key, arguments: arguments)]
  }

  /// Both, one behind the other.
  public static func + (left: TextState, right: TextState) -> TextState {
    TextState(parts: left.parts + right.parts)
  }

  /// The text, with `lookUp` for what is given by key.
  public func resolved(
    _ lookUp: (_ key: String, _ arguments: [Value]) -> String = { key, arguments in
      ([key] + arguments.map { $0.string ?? "\($0)" }).joined(separator: " ")
    }
  ) -> String {
    parts.map { part in
      switch part {
      case .verbatim(let text): text
      case .localized(let key, let arguments): lookUp(key, arguments)
      }
    }
    .joined()
  }
}

extension TextState: ExpressibleByStringInterpolation {
  /// A text that is shown as it is.
  public init(stringLiteral value: String) { self.init(value) }
}

extension TextState: CustomStringConvertible {
  /// The text, keys unresolved.
  public var description: String { resolved() }
}

extension TextState: MirroredByWire {
  /// A text, a map, or an array of these.
  package var wire: Value { parts.count == 1 ? Self.wire(parts[0]) : .array(parts.map(Self.wire)) }

  package init(wire: Value) throws(DecodingFailure) {
    guard case .array(let items) = wire else {
      parts = [try Self.part(wire)]
      return
    }
    parts = []
    for (index, item) in items.enumerated() {
      do throws(DecodingFailure) {
        parts.append(try Self.part(item))
      } catch {
        throw error.under("\(index)")
      }
    }
    if parts.count == 1 {
      throw DecodingFailure(.notDeterministic, "a text of one part stands without an array")
    }
  }

  private static func wire(_ part: Part) -> Value {
    switch part {
    case .verbatim(let text): .text(text)
    case .localized(let key, let arguments):
      .map(["key": .text(key), "arguments": .array(arguments)])
    }
  }

  private static func part(_ item: Value) throws(DecodingFailure) -> Part {
    if let text = item.string { return .verbatim(text) }
    guard let key = item["key"]?.string, let arguments = item["arguments"]?.elements else {
      throw DecodingFailure(
        .wrongType, "a text is a CBOR text, or a map of 'key' and 'arguments'")
    }
    return .localized(key: key, arguments: Array(arguments))
  }
}
