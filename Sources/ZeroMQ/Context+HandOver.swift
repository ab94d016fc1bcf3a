internal import CZeroMQ

extension Context {
  /// Waits until the I/O thread has given the kernel what was sent before this call, for every peer
  /// that reads: what closing all sockets and `terminate` would wait for, without closing them.
  ///
  /// A socket that strangers reach is better never closed: libzmq 4.3.4 aborts the process when the
  /// greeting of an old protocol is completed on a connection that is just being closed
  /// (`process_routing_id_msg`: EAGAIN is not among the errors that it knows). Whoever hangs there
  /// with half a greeting when a process ends would have it end by a signal. The process may leave
  /// instead; the kernel closes what is left, and still delivers what it has been given.
  ///
  /// The I/O thread takes commands in their order. A connection to nowhere is one more command, and
  /// its failure is told: what was sent before has been taken by then. Of each peer's messages a turn
  /// of the thread takes a batch of 8 KiB, so that it is asked for as many turns as fill a kernel's
  /// buffer; a peer that has more than that to read is slow, and not waited for.
  ///
  /// - Returns: false if the I/O thread was silent for `patience`.
  @discardableResult
  package func handOver(patience: Duration = .seconds(1)) throws(ZeroMQError) -> Bool {
    // Of the kinds that connect again where they are connected already.
    var probe = try Socket(
      .push, in: self,
      options: .with {
        $0.linger = .zero
        // One failure each: none is tried again.
        $0.reconnectInterval = .seconds(3600)
      })
    return try Self.takeTurns(&probe, patience: patience)
  }

  /// 256 KiB for each peer: more than the kernel's buffer of a local socket (208 KiB).
  private static let turns = 32
  /// No socket: it refuses a connection.
  private static let nowhere = "ipc:///dev/null"
  private static let connectRetried: Int32 = 0x0004

  private static func takeTurns(
    _ probe: inout Socket, patience: Duration
  ) throws(ZeroMQError) -> Bool {
    let core = probe.core
    let endpoint = "inproc://hand-over-\(UInt(bitPattern: core.pointer))"
    try core.check("monitor") { zmq_socket_monitor(core.pointer, endpoint, connectRetried) }
    defer { zmq_socket_monitor(core.pointer, nil, 0) }
    var news = try Socket(.pair, in: core.context, options: .with { $0.linger = .zero })
    try news.connect(endpoint)
    for _ in 0..<turns {
      try probe.connect(nowhere)
      guard news.waitUntilReadable(atMost: patience), try news.receive() != nil else {
        return false
      }
    }
    return true
  }
}
