/// Why a delta does not fit the value it was applied to: nothing of it is applied, and a mirror
/// resynchronises.
public struct DeltaFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sentence for a person.
  public var message: String

  /// A failure with a sentence for a person.
  public init(_ message: String) { self.message = message }

  /// A failure from bytes that do not decode.
  public init(_ failure: DecodingFailure) { message = failure.description }

  /// The message.
  public var description: String { message }
}
