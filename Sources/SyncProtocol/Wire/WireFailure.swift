package import StateModel

/// Why frames are not a message, with what is needed to answer whoever sent them.
package struct WireFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// `malformed`, `too-large`, `too-old` or `too-new`.
  package var code: Code
  /// What is wrong and what is expected; a sentence for a person.
  package var text: String
  /// The request's number, when the header could be read that far: only then can it be answered.
  package var request: UInt64?

  package init(_ code: Code, _ text: String, request: UInt64? = nil) {
    self.code = code
    self.text = text
    self.request = request
  }

  /// A failure of the decoder, seen from the frame it was in.
  package init(_ failure: DecodingFailure, in frame: String, request: UInt64? = nil) {
    self.init(.malformed, "the \(frame) is not understood: \(failure)", request: request)
  }

  package var description: String { "\(code.rawValue): \(text)" }
}
