/// Why a delta does not fit the value it was applied to: nothing of it is applied, and a mirror
/// resynchronises.
public struct DeltaFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sentence for a person.
  public var message: String

  /// A failure with a sentence for a person.
  public init(_ message: String) { self.message = message }

  /// A failure at a path of encoded elements, which the message begins with.
  public init(_ message: String, path: ArraySlice<ArraySlice<UInt8>>) {
    let names = path.map(Self.name(of:))
    self.message = names.isEmpty ? message : names.joined(separator: ".") + ": " + message
  }

  /// A failure from bytes that do not decode.
  public init(_ failure: DecodingFailure) { message = failure.description }

  /// The message.
  public var description: String { message }

  /// A path element for a person: a text as it is, an integer in digits, else its bytes.
  static func name(of element: ArraySlice<UInt8>) -> String {
    if let text = try? String(encoded: element) { return text }
    return (try? Value(encoded: element))?.description ?? "h'\(Value.hexadecimal(element))'"
  }
}
