internal import CZeroMQ

// Messages go out frame by frame from the arrays that hold them: libzmq copies each once (small
// ones into the message itself), nothing is built around them here.
extension Socket {
  /// Sends a message of these frames without waiting; all of it or nothing.
  package func send(_ frames: [[UInt8]]) throws(ZeroMQError) -> Sent {
    precondition(!frames.isEmpty, "a message without frames was sent on a \(kind) socket")
    var state = Sending()
    for (index, frame) in frames.enumerated()
    where try add(frame, isLast: index == frames.count - 1, &state) {
      return state.result
    }
    return state.result
  }

  /// Sends a message of one frame.
  package func send(_ frame: [UInt8]) throws(ZeroMQError) -> Sent {
    var state = Sending()
    _ = try add(frame, isLast: true, &state)
    return state.result
  }

  /// Sends an envelope (a route, its empty delimiter) and two frames after it: a reply, without an
  /// array of arrays made for it. With an empty envelope, a message of two frames.
  package func send(
    to envelope: [[UInt8]] = [], _ first: [UInt8], _ second: [UInt8]
  ) throws(ZeroMQError) -> Sent {
    var state = Sending()
    for frame in envelope where try add(frame, isLast: false, &state) {
      return state.result
    }
    if try add(first, isLast: false, &state) { return state.result }
    _ = try add(second, isLast: true, &state)
    return state.result
  }

  /// Sends a message of three frames: a publication.
  package func send(
    _ first: [UInt8], _ second: [UInt8], _ third: [UInt8]
  ) throws(ZeroMQError) -> Sent {
    var state = Sending()
    if try add(first, isLast: false, &state) { return state.result }
    if try add(second, isLast: false, &state) { return state.result }
    _ = try add(third, isLast: true, &state)
    return state.result
  }

  /// How far a message is on its way.
  private struct Sending {
    var result = Sent.sent
    var isFirst = true
    /// Whether the I/O thread's news were taken in since a peer seemed full.
    var hasTakenIn = false
  }

  /// Sends a frame; true if the rest need not be tried.
  ///
  /// A refusal comes with the first frame. Where a later one is refused, the connection died in
  /// between: libzmq has taken the earlier frames back and drops the rest up to the last, which
  /// therefore has to be given to it, or the next message would lose its head.
  private func add(
    _ frame: [UInt8], isLast: Bool, _ state: inout Sending
  ) throws(ZeroMQError) -> Bool {
    let flags = isLast ? ZMQ_DONTWAIT : ZMQ_DONTWAIT | ZMQ_SNDMORE
    let pointer = core.pointer
    while true {
      let sent = frame.withUnsafeBytes { zmq_send(pointer, $0.baseAddress, $0.count, flags) }
      if sent >= 0 { break }
      switch zmq_errno() {
      case EINTR: continue
      case EAGAIN where state.isFirst && !state.hasTakenIn:
        // libzmq looks for news of room only once a millisecond: a peer that reads would seem full.
        state.hasTakenIn = true
        _ = core.events()
      case EAGAIN:
        state.result = .wouldBlock
        return state.isFirst
      case EHOSTUNREACH, ZeroMQError.contextEnded:
        state.result = .unreachable
        return true
      case let code: throw core.failure(code, "send on")
      }
    }
    state.isFirst = false
    return false
  }
}
