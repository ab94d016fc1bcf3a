package import ZeroMQ

/// Where a daemon's files and sockets are, once the user's surroundings have filled in what the
/// configuration leaves open.
package struct Places: Equatable, Sendable {
  /// The folder of the sockets and the instance's lock.
  package var folder: String
  package var endpoints: DaemonEndpoints
  /// The folder of the journal.
  package var stateDirectory: String
  /// Nil is standard error.
  package var logFile: String?

  /// Resolves them; fails where there is no home to keep a journal in.
  ///
  /// - Parameter name: what the folders are called.
  package init(
    _ configuration: Configuration, name: String, environment: [String: String], uid: UInt32
  ) throws(HostFailure) {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    func expanded(_ path: String) throws(HostFailure) -> String? {
      guard path.hasPrefix("~/") else { return path.isEmpty ? nil : path }
      guard let home else {
        throw HostFailure(
          "\(path) begins with ~, and HOME is not set", advice: "Write the whole path.")
      }
      return home + path.dropFirst()
    }
    let folder =
      try expanded(configuration.folder)
      ?? DaemonEndpoints.folder(named: name, environment: environment, uid: uid)
    self.folder = folder
    endpoints = DaemonEndpoints(folder: folder)
    if !configuration.requests.isEmpty { endpoints.requests = configuration.requests }
    if !configuration.publications.isEmpty { endpoints.publications = configuration.publications }
    logFile = try expanded(configuration.logFile)
    if let stateDirectory = try expanded(configuration.stateDirectory) {
      self.stateDirectory = stateDirectory
    } else if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      stateDirectory = "\(state)/\(name)"
    } else if let home {
      stateDirectory = "\(home)/.local/state/\(name)"
    } else if configuration.mode == .memory {
      stateDirectory = folder
    } else {
      throw HostFailure(
        "there is no place for the journal: neither HOME nor XDG_STATE_HOME is set",
        advice: "Name one with --state-directory, or keep everything in memory with --mode memory.")
    }
  }
}
