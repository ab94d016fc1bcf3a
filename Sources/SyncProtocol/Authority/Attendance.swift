/// The coming and going of a client that asked to be listed.
package enum Attendance: Equatable, Sendable {
  /// It is there; of one that is there already: it has another name now.
  case joined(PublicNumber, name: String)
  /// It has not been heard for a while.
  case away(PublicNumber)
  /// It was away, and is heard again.
  case back(PublicNumber)
  /// It said goodbye, or was silent for too long.
  case left(PublicNumber)

  /// The client it is about.
  package var client: PublicNumber {
    switch self {
    case .joined(let client, _), .away(let client), .back(let client), .left(let client): client
    }
  }
}
