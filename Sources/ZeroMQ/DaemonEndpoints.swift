/// Where a daemon is reached: one endpoint for requests, one for publications.
public struct DaemonEndpoints: Equatable, Sendable {
  /// Where requests go, such as `ipc:///run/user/1000/statecast/requests`.
  public var requests: String
  /// Where publications come from.
  public var publications: String

  /// Two endpoints.
  public init(requests: String, publications: String) {
    self.requests = requests
    self.publications = publications
  }

  /// The two sockets in a folder.
  public init(folder: String) {
    self.init(requests: "ipc://\(folder)/requests", publications: "ipc://\(folder)/publications")
  }

  /// What a person looks at where requests are answered and publications do not arrive.
  package var whatToCheck: String {
    "Requests go to \(requests), publications are expected from \(publications): is that the same "
      + "daemon's, and does a firewall let it through?"
  }

  /// Why a text is no endpoint, for whoever typed it.
  package struct Malformed: Error, Equatable, CustomStringConvertible {
    package var description: String
  }

  /// What the system takes for a socket's path, without the zero at its end.
  private static let longestPath = 107

  /// Checks that a client can connect to `text`.
  package static func check(_ text: String) throws(Malformed) {
    if text.hasPrefix("ipc://") {
      let path = text.dropFirst("ipc://".count)
      guard path.hasPrefix("/") else {
        throw Malformed(description: "\"\(text)\" has no absolute path; write ipc:///path")
      }
      guard path.utf8.count <= longestPath else {
        throw Malformed(
          description: "the path of \"\(text)\" has \(path.utf8.count) bytes; "
            + "\(longestPath) are the most")
      }
    } else if text.hasPrefix("tcp://") {
      let place = text.dropFirst("tcp://".count)
      let colon = place.lastIndex(of: ":")
      let port = colon.map { place[place.index(after: $0)...] } ?? ""
      guard let colon, colon > place.startIndex, port.allSatisfy(\.isNumber),
        UInt16(port).map({ $0 > 0 }) == true
      else {
        throw Malformed(
          description: "\"\(text)\" has no host and port; write tcp://127.0.0.1:port")
      }
    } else {
      throw Malformed(
        description: "\"\(text)\" is none; write it like ipc:///path or tcp://127.0.0.1:port")
    }
  }

  /// Where a user's daemon is unless told otherwise: `$XDG_RUNTIME_DIR/NAME`, else a folder of the
  /// user's own under /tmp. The same rule at both ends, so that neither needs to be told.
  public static func folder(
    named name: String = "statecast", environment: [String: String], uid: UInt32
  ) -> String {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      return "\(runtime)/\(name)"
    }
    return "/tmp/\(name)-\(uid)"
  }
}
