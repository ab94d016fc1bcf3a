internal import CZeroMQ

/// The settings of a socket, all applied before it is bound or connected: set later, most would
/// have no effect. Nil leaves libzmq's own default.
package struct SocketOptions: Equatable, Sendable {
  /// How long `terminate` waits for messages that no peer has taken. Always finite: a socket to
  /// nobody would hold up the end of the process for ever.
  package var linger: Duration = .milliseconds(200)
  /// Messages queued for each peer before they are dropped (publish) or `wouldBlock` (the rest);
  /// 0 is no limit. Subscriptions count too: above 1,000 they vanish silently, so a SUB wants 0.
  package var sendHighWater: Int32?
  /// Messages queued from each peer before it is made to wait; 0 is no limit.
  package var receiveHighWater: Int32?
  /// Bytes of one frame (not of a message); a longer one disconnects its peer.
  package var maximumFrame: Int64?
  /// Between heartbeats of a connection. Also on ipc: they free the memory of a stopped peer.
  ///
  /// Only together with a `receiveHighWater` of 0: libzmq 4.3.4 stops reading a peer whose queue is
  /// full, and if that peer goes meanwhile, the next heartbeat aborts the whole process
  /// (`Assertion failed: !_io_error`).
  package var heartbeatInterval: Duration?
  /// Silence after which a connection is given up.
  package var heartbeatTimeout: Duration?
  /// tcp: the kernel asks whether a silent peer is still there; ipc needs none.
  package var keepAlive: KeepAlive?
  /// How long a peer may take for its handshake.
  package var handshake: Duration?
  /// ROUTER: a message to a peer that is gone is told as `unreachable`, to one that does not
  /// read as `wouldBlock`, instead of dropped silently.
  package var routerMandatory = false
  /// XPUB: report every subscription, not only a topic's first.
  package var xpubVerbose = false
  /// REQ: a request may be sent again before its reply came, and a late reply of an older attempt
  /// is dropped.
  package var requestRelaxed = false
  /// Queue only to connections that stand.
  package var immediate = false
  /// ipc: the users whose processes may connect; empty is everyone whom the folder lets in.
  package var ipcFilterUIDs: [UInt32] = []
  /// The first pause before connecting again.
  package var reconnectInterval: Duration?
  /// The longest pause before connecting again; the pause doubles up to it.
  package var reconnectIntervalMaximum: Duration?
  /// Connections that wait to be accepted.
  package var backlog: Int32?

  /// When the kernel gives up a silent tcp connection: `idle` and then `probes` times `interval`.
  package struct KeepAlive: Equatable, Sendable {
    package var idleSeconds: Int32 = 10
    package var intervalSeconds: Int32 = 5
    package var probes: Int32 = 3
    package init() {}
  }

  package init() {}

  /// Settings changed from the defaults in a closure: `.with { $0.sendHighWater = 0 }`.
  package static func with(_ change: (inout SocketOptions) -> Void) -> SocketOptions {
    var options = SocketOptions()
    change(&options)
    return options
  }

  func apply(to core: SocketCore) throws(ZeroMQError) {
    try core.set(ZMQ_LINGER, linger.wholeMilliseconds, "linger")
    try apply(sendHighWater, ZMQ_SNDHWM, "sendHighWater", to: core)
    try apply(receiveHighWater, ZMQ_RCVHWM, "receiveHighWater", to: core)
    if let maximumFrame { try core.set(ZMQ_MAXMSGSIZE, maximumFrame, "maximumFrame") }
    try apply(heartbeatInterval, ZMQ_HEARTBEAT_IVL, "heartbeatInterval", to: core)
    try apply(heartbeatTimeout, ZMQ_HEARTBEAT_TIMEOUT, "heartbeatTimeout", to: core)
    if let keepAlive {
      try core.set(ZMQ_TCP_KEEPALIVE, Int32(1), "keepAlive")
      try core.set(ZMQ_TCP_KEEPALIVE_IDLE, keepAlive.idleSeconds, "keepAlive.idleSeconds")
      try core.set(ZMQ_TCP_KEEPALIVE_INTVL, keepAlive.intervalSeconds, "keepAlive.intervalSeconds")
      try core.set(ZMQ_TCP_KEEPALIVE_CNT, keepAlive.probes, "keepAlive.probes")
    }
    try apply(handshake, ZMQ_HANDSHAKE_IVL, "handshake", to: core)
    try apply(routerMandatory, ZMQ_ROUTER_MANDATORY, "routerMandatory", to: core)
    try apply(xpubVerbose, ZMQ_XPUB_VERBOSE, "xpubVerbose", to: core)
    try apply(requestRelaxed, ZMQ_REQ_RELAXED, "requestRelaxed", to: core)
    try apply(requestRelaxed, ZMQ_REQ_CORRELATE, "requestRelaxed", to: core)
    try apply(immediate, ZMQ_IMMEDIATE, "immediate", to: core)
    for uid in ipcFilterUIDs { try core.set(ZMQ_IPC_FILTER_UID, uid, "ipcFilterUIDs") }
    try apply(reconnectInterval, ZMQ_RECONNECT_IVL, "reconnectInterval", to: core)
    try apply(
      reconnectIntervalMaximum, ZMQ_RECONNECT_IVL_MAX, "reconnectIntervalMaximum", to: core)
    try apply(backlog, ZMQ_BACKLOG, "backlog", to: core)
  }

  private func apply(
    _ value: Int32?, _ option: Int32, _ name: String, to core: SocketCore
  ) throws(ZeroMQError) {
    if let value { try core.set(option, value, name) }
  }

  private func apply(
    _ value: Duration?, _ option: Int32, _ name: String, to core: SocketCore
  ) throws(ZeroMQError) {
    if let value { try core.set(option, value.wholeMilliseconds, name) }
  }

  /// Only set where asked for: the option of another kind of socket would be refused.
  private func apply(
    _ isOn: Bool, _ option: Int32, _ name: String, to core: SocketCore
  ) throws(ZeroMQError) {
    if isOn { try core.set(option, Int32(1), name) }
  }
}

extension Duration {
  /// libzmq counts in milliseconds; a shorter time is rounded up, so that it never means "none".
  fileprivate var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    let rest = attoseconds % 1_000_000_000_000_000
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return seconds < 0 ? 0 : .max }
    return Int32(clamping: max(0, whole + milliseconds + (rest > 0 ? 1 : 0)))
  }
}
