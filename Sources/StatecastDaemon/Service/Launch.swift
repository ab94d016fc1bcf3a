internal import Glibc
internal import Synchronization
package import ZeroMQ

/// A daemon's way from its command line to its sockets, and what it minds while it runs: the one
/// place that puts limits, folders, locks, log, signals and the service manager together.
///
/// Made first; then the host recovers and binds; then `didBind`, `watch`, `ready`; at the end `end`.
/// One for the life of the process.
package final class Launch: Sendable {
  package let configuration: Configuration
  package let places: Places
  package let settings: HostSettings
  package let log: Log
  package let notifier: ServiceNotifier
  package let files: FileLimit
  private let signals: SignalWatch
  private let locks: [InstanceLock]
  private let sockets: Mutex<[SocketPath]>

  private var isForOthers: Bool { !configuration.allowedUIDs.isEmpty }

  /// Between looks at whether the sockets' files are still there.
  private static let pathCheck: Int64 = 5_000_000_000

  /// Reads the configuration; nil after what was asked for (`--help`) was printed.
  ///
  /// - Parameter name: the app's: what its folders are called.
  package static func request(
    program: String, name: String, arguments: [String], environment: [String: String]
  ) throws(ConfigurationError) -> ConfigurationLoader.Request {
    try ConfigurationLoader(
      program: program, name: name, arguments: arguments, environment: environment,
      read: ConfigurationFile.read
    ).load()
  }

  /// Takes the folder, and makes the sockets' paths free to bind.
  package init(
    _ configuration: Configuration, notes: [String] = [], name: String,
    environment: [String: String]
  ) throws(HostFailure) {
    // The journal has every action, and the sessions' secret ids: SQLite's files, too, are for this
    // user alone.
    umask(0o077)
    try ServiceNotifier.checkReadyDescriptor(configuration.readyDescriptor)
    let places = try Places(configuration, name: name, environment: environment, uid: geteuid())
    let log = try Log(configuration.logLevel, file: places.logFile, environment: environment)
    for note in notes { log.warning(note) }
    let files = try FileLimit.raise()
    let isForOthers = !configuration.allowedUIDs.isEmpty
    try SocketFolder.prepare(places.folder, isForOthers: isForOthers)
    var locks = [try InstanceLock(places.folder + "/lock")]
    let sockets = [places.endpoints.requests, places.endpoints.publications]
      .compactMap { SocketPath(endpoint: $0) }
    for socket in sockets {
      // One elsewhere is not covered by the folder's lock.
      if socket.folder != places.folder {
        try SocketFolder.prepare(socket.folder, isForOthers: isForOthers)
        locks.append(try InstanceLock(socket.path + ".lock"))
      }
      try socket.prepare()
    }
    // Last: until here there is nothing to finish, and a signal ends the process as it always does.
    signals = try SignalWatch()
    self.configuration = configuration
    self.places = places
    self.log = log
    self.files = files
    self.locks = locks
    self.sockets = Mutex(sockets)
    var settings = configuration.hostSettings(places)
    settings.connectionsPerSocket = files.connectionsPerSocket
    self.settings = settings
    notifier = ServiceNotifier(
      environment: environment, readyDescriptor: Int32(clamping: configuration.readyDescriptor))
  }

  /// The sockets are bound: their files are remembered, and opened to those who are allowed.
  package func didBind() {
    sockets.withLock { sockets in
      for index in sockets.indices { sockets[index].didBind(isForOthers: isForOthers) }
    }
  }

  /// Minds signals, the sockets' files and the watchdog from now on, on the daemon's loop (so that a
  /// loop that hangs is noticed). Call it there.
  ///
  /// - Parameter stop: called once, at the first signal to stop.
  package func watch(on loop: EventLoop, stop: @escaping () -> Void) {
    var isStopping = false
    _ = loop.watch(descriptor: signals.descriptor) { [self] in
      while let signal = signals.next() {
        switch signal {
        case .reopen:
          log.reopen()
          log.info("log opened anew")
        case .stop where isStopping:
          log.info("stopping already")
        case .stop:
          isStopping = true
          log.info("stopping")
          notifier.stopping()
          stop()
        }
      }
    }
    repeating(Self.pathCheck, on: loop) { [self] in for alarm in alarms() { log.error(alarm) } }
    if let watchdog = notifier.watchdog {
      notifier.alive()
      repeating(Int64(watchdog / .nanoseconds(1)), on: loop) { [notifier] in notifier.alive() }
    }
  }

  private func repeating(_ interval: Int64, on loop: EventLoop, _ body: @escaping () -> Void) {
    _ = loop.schedule(at: EventLoop.monotonicNow() + interval) { [self] in
      body()
      repeating(interval, on: loop, body)
    }
  }

  /// What happened to the sockets' and the lock's files while the daemon runs.
  package func alarms() -> [String] {
    let gone = locks.filter { !$0.isIntact }.map {
      "the lock file \($0.path) was deleted: a second daemon could start. Restart this one."
    }
    return sockets.withLock { $0.compactMap(\.alarm) } + gone
  }

  /// Takes the sockets' files away and lets go of the locks: another daemon may take the folder.
  package func end() {
    sockets.withLock { for socket in $0 { socket.remove() } }
    for lock in locks { lock.release() }
  }
}
