/// The place of a `@Mirrored` struct for fields that it does not know: what a later version of the
/// program wrote is kept there, and written again, so that an older one that changes a row and sends
/// it back loses nothing of it.
///
///     @Mirrored struct Row {
///       var title = ""
///       var further = UnknownFields()
///     }
///
/// On the wire they stand beside the known fields, as if the struct had them. Without a place they
/// are skipped.
public struct UnknownFields: Equatable, Sendable {
  /// By the encodings of their names, in wire order.
  private(set) var entries: ValueMap

  /// None.
  public init() { entries = ValueMap() }

  init(entries: ValueMap) { self.entries = entries }

  /// Whether there are none.
  public var isEmpty: Bool { entries.isEmpty }

  /// How many there are.
  public var count: Int { entries.count }

  /// The names on the wire, in the order of the wire.
  public var names: [String] { entries.keys.compactMap(\.string) }

  /// The field of this name; nil where there is none.
  public package(set) subscript(name: String) -> Value? {
    get { entries[.text(name)] }
    set { entries[.text(name)] = newValue }
  }

  /// Whether both are the same fields with identical values. Called by the code that `@Mirrored`
  /// writes, as is all that follows.
  public func isIdentical(to other: UnknownFields) -> Bool {
    entries.isIdentical(to: other.entries)
  }

  /// Where the writing of a struct stands among its unknown fields: they go between the known ones,
  /// each where its name belongs.
  public struct Cursor {
    private var rest: ArraySlice<(name: ArraySlice<UInt8>, value: Value)>

    fileprivate init(_ entries: ValueMap) {
      rest =
        entries.map { entry in
          let key = entry.key.encoded()
          var decoder = CBORDecoder(key)
          return ((try? decoder.textBytes()) ?? [], entry.value)
        }[...]
    }

    fileprivate mutating func write(before name: FieldName?, to encoder: inout CBOREncoder) {
      while let next = rest.first, name?.isAfter(next.name) ?? true {
        encoder.text(utf8: next.name)
        next.value.encode(to: &encoder)
        rest.removeFirst()
      }
    }
  }

  /// A cursor before the first one.
  public var cursor: Cursor { Cursor(entries) }

  fileprivate mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    try entries.apply(change, at: depth)
  }
}

extension CBOREncoder {
  /// Writes the unknown fields that belong before the field, then the field.
  @inlinable public mutating func field<Field: Mirrored>(
    _ name: FieldName, _ value: Field, after unknown: inout UnknownFields.Cursor
  ) {
    fields(&unknown, before: name)
    field(name, value)
  }

  /// Writes the unknown fields that belong before `name`; nil for all that are left.
  public mutating func fields(
    _ unknown: inout UnknownFields.Cursor, before name: FieldName? = nil
  ) { unknown.write(before: name, to: &self) }
}

extension FieldDigest {
  /// Adds unknown fields.
  public mutating func add(_ unknown: UnknownFields) {
    add(count: unknown.entries.count, sum: unknown.entries.sum)
  }
}

extension DeltaWriter {
  /// Writes the changes of unknown fields.
  public mutating func fields(_ new: UnknownFields, _ old: UnknownFields) {
    new.entries.writeEntries(from: old.entries, to: &self)
  }
}

extension Change {
  /// Applies the change to a field that the struct does not know.
  public func apply(to unknown: inout UnknownFields, at depth: Int) throws(DeltaFailure) {
    try unknown.apply(self, at: depth)
  }
}
