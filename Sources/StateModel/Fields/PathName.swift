/// A name as it came over the wire: an element of a change's path, or the name of an enum's case.
///
/// It matches the literals of a `switch` by its bytes, so that the code that `@Mirrored` writes
/// finds a field without making a string.
public struct PathName: Sendable, CustomStringConvertible {
  /// The name's UTF-8 bytes.
  let bytes: ArraySlice<UInt8>

  /// The name in quotation marks, for messages.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether both have the same bytes.
  public static func ~= (name: FieldName, path: PathName) -> Bool { name.matches(path.bytes) }
}

extension Change {
  /// The name at `depth` of the path, nil when the path ends before it. Called by the code that
  /// `@Mirrored` writes.
  public func name(at depth: Int) throws(DeltaFailure) -> PathName? {
    guard depth < path.count else { return nil }
    var decoder = CBORDecoder(path[depth])
    do { return PathName(bytes: try decoder.textBytes()) } catch {
      throw DeltaFailure("the path has no name at \(depth): \(error)")
    }
  }

  /// The value that the change sets. Called by the code that `@Mirrored` writes, at the path's end.
  public func whole<Whole: Mirrored>(_ type: Whole.Type = Whole.self) throws(DeltaFailure) -> Whole
  {
    guard case .set(let item) = operation else {
      throw DeltaFailure("a struct or an enum can only be set as a whole, or a field of it")
    }
    do { return try Whole(encoded: item) } catch { throw DeltaFailure(error) }
  }

  /// The value of the case `name` whose payload the change sets as a whole. Called by the code that
  /// `@Mirrored` writes.
  public func whole<Whole: Mirrored>(
    case name: FieldName, _ type: Whole.Type = Whole.self
  ) throws(DeltaFailure) -> Whole {
    guard case .set(let item) = operation else {
      throw DeltaFailure("a payload can only be set as a whole, or a field of it")
    }
    var encoder = CBOREncoder()
    encoder.map(1)
    encoder.name(name)
    encoder.encoded(item)
    do { return try Whole(encoded: encoder.bytes) } catch { throw DeltaFailure(error) }
  }

  /// A copy of `field` with the change applied if `isNamed`, else `field`. Called by the code that
  /// `@Mirrored` writes, for fields that cannot be changed in place.
  public func applied<Field: Mirrored>(
    to field: Field, at depth: Int, if isNamed: Bool
  ) throws(DeltaFailure) -> Field {
    guard isNamed else { return field }
    var copy = field
    try copy.apply(self, at: depth)
    return copy
  }
}

extension DeltaFailure {
  /// The failure for a path that names a field which the type does not have. Called by the code
  /// that `@Mirrored` writes.
  public static func noField(_ name: PathName) -> DeltaFailure {
    DeltaFailure("there is no field \(name)")
  }

  /// The failure for a path that steps into the payload of another case than the present one.
  /// Called by the code that `@Mirrored` writes.
  public static func notTheCase(_ name: PathName) -> DeltaFailure {
    DeltaFailure("the value is not the case \(name), or that case has no payload")
  }
}

extension DeltaWriter {
  /// Writes the changes of one field. Called by the code that `@Mirrored` writes.
  public mutating func field<Field: Mirrored>(_ name: FieldName, _ new: Field, _ old: Field) {
    at(name.encoded) { new.writeDelta(from: old, to: &$0) }
  }

  /// Writes the changes of a case's labelled payload. Called by the code that `@Mirrored` writes.
  public mutating func payload(_ name: FieldName, _ body: (inout DeltaWriter) -> Void) {
    at(name.encoded, body)
  }
}
