public import JSONText
public import StateModel

extension Workspace {
  /// The parameter of the view `workspace`: a JSON pointer as text, or null for the root, which is
  /// what a view is asked for where nothing is given. A text that is no pointer does not decode, so
  /// that whoever asks is told what is wrong with it.
  public struct Path: Mirrored {
    /// The place in the documents.
    public let pointer: JSONPointer

    /// A place.
    public init(_ pointer: JSONPointer) { self.pointer = pointer }

    /// A text on the wire.
    public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .text }

    /// Writes the pointer's text.
    public func encode(to encoder: inout CBOREncoder) { encoder.text(pointer.description) }

    /// Reads a text that is a pointer, or null.
    public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
      if decoder.nextIsNull {
        try decoder.null()
        pointer = .root
        return
      }
      let text = try decoder.text()
      do { pointer = try JSONPointer(parsing: text) } catch {
        throw DecodingFailure(.outOfRange, error.message)
      }
    }

    /// Whether both are the same text.
    public func isIdentical(to other: Path) -> Bool {
      pointer.description.isIdentical(to: other.pointer.description)
    }

    /// A text's digest.
    public var digest: Digest { pointer.description.digest }

    /// Sets the whole path when it differs.
    public func writeDelta(from old: Path, to writer: inout DeltaWriter) {
      if !isIdentical(to: old) { writer.set(self) }
    }

    /// Only a `set` of the whole path fits.
    public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
      guard depth == change.path.count, case .set(let item) = change.operation else {
        throw DeltaFailure("a path has no parts to change")
      }
      do { self = try Path(encoded: item) } catch { throw DeltaFailure(error) }
    }
  }
}
