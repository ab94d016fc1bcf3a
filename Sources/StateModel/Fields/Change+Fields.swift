/// What the code that `@Mirrored` writes asks of a change.
extension Change {
  /// The name at `depth` of the path.
  public func name(at depth: Int) throws(DeltaFailure) -> PathName {
    guard depth < path.count else {
      throw DeltaFailure(
        "only a field, or the whole, of a struct or an enum can be changed", path: path[..<depth])
    }
    let items = path.span
    // Most are short and in ASCII: the content is what is behind the first byte.
    if let first = items[depth].first, first < 0x78, Int(first) == 0x60 + items[depth].count - 1,
      ByteComparison.isASCII(items[depth].span.bytes)
    {
      return PathName(bytes: items[depth].dropFirst())
    }
    var decoder = CBORDecoder(items[depth])
    do throws(DecodingFailure) {
      return PathName(bytes: try decoder.textBytes())
    } catch {
      throw DeltaFailure("the path should go on with a name", path: path[...depth])
    }
  }

  /// Whether the change sets the payload that stands at `depth` as a whole.
  public func setsWhole(at depth: Int) -> Bool {
    guard depth == path.count, case .set = operation else { return false }
    return true
  }

  /// The value of the case `name` whose payload the change sets as a whole.
  public func value<Whole: Mirrored>(
    ofCase name: FieldName, _ type: Whole.Type = Whole.self
  ) throws(DeltaFailure) -> Whole {
    guard case .set(let item) = operation else {
      throw DeltaFailure("a payload can only be set as a whole", path: path[...])
    }
    var encoder = CBOREncoder()
    encoder.map(1)
    encoder.name(name)
    encoder.encoded(item)
    do throws(DecodingFailure) {
      return try Whole(encoded: encoder.bytes)
    } catch {
      throw DeltaFailure(error.description, path: path.dropLast())
    }
  }

  /// Applies the change to a field, `depth` elements of the path being resolved.
  @inlinable public func apply<Field: Mirrored>(
    to field: inout Field, at depth: Int
  ) throws(DeltaFailure) { try field.apply(self, at: depth) }

  /// A copy of `field` with the change applied if `isNamed`, else `field`: for fields that cannot
  /// be changed in place.
  public func applied<Field: Mirrored>(
    to field: Field, at depth: Int, if isNamed: Bool
  ) throws(DeltaFailure) -> Field {
    guard isNamed else { return field }
    var copy = field
    try copy.apply(self, at: depth)
    return copy
  }

  /// The failure for a path that names a field which the type does not have.
  public func noField(at depth: Int) -> DeltaFailure {
    DeltaFailure("there is no such field", path: path[...depth])
  }

  /// The failure for a path that steps into the payload of another case than the present one.
  public func notTheCase(at depth: Int) -> DeltaFailure {
    DeltaFailure("the value is another case, or one without a payload", path: path[...depth])
  }
}
