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
