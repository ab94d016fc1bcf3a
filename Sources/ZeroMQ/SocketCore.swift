internal import CZeroMQ

/// What a `Socket` owns, shared with the watch of its loop and with its last message.
///
/// A class because libzmq's message must never move in memory, and because the loop has to see
/// that a socket was closed. Used by one thread at a time, the one that owns the socket.
final class SocketCore {
  let kind: Socket.Kind
  let context: Context
  /// Nil after close.
  private var handle: UnsafeMutableRawPointer?
  /// The last frame received: a place that never moves, used again for every frame.
  let frame: UnsafeMutablePointer<zmq_msg_t>
  /// Counts received messages: what a message can still ask of its last frame ends with the next.
  var generation: UInt64 = 0
  /// Whether libzmq may have swallowed the edge of its descriptor since the loop last looked.
  ///
  /// Any call on a socket may process its commands, and then its descriptor shows nothing although
  /// a message waits. `ZMQ_FD`: "after the descriptor signals … applications must check
  /// `ZMQ_EVENTS` until it returns no events" (https://libzmq.readthedocs.io/en/latest/zmq_getsockopt.html).
  var wasTouched = true
  /// Whether its loop waits for more than messages.
  var isWatchedForWriting = false

  init(_ kind: Socket.Kind, in context: Context, at place: String) throws(ZeroMQError) {
    handle = try context.makeSocket(kind, at: place)
    self.kind = kind
    self.context = context
    frame = .allocate(capacity: 1)
    zmq_msg_init(frame)
  }

  deinit {
    close()
    zmq_msg_close(frame)
    frame.deallocate()
  }

  var isClosed: Bool { handle == nil }

  /// The socket for one call. Calling on a closed one is our own bug.
  var pointer: UnsafeMutableRawPointer {
    guard let handle else { preconditionFailure("a closed \(kind) socket was used") }
    wasTouched = true
    return handle
  }

  /// libzmq has just taken in its commands and found no message: the loop need not look again.
  func wasDrained() { wasTouched = isWatchedForWriting }

  func close() {
    guard let socket = handle else { return }
    handle = nil
    zmq_close(socket)
    context.forget(socket)
  }

  /// The descriptor whose edge tells that `ZMQ_EVENTS` may have changed.
  func descriptor() throws(ZeroMQError) -> Int32 {
    try number(ZMQ_FD, "descriptor", initial: Int32(-1))
  }

  /// What the socket can do now; takes in what its I/O thread has sent. Nothing once the context
  /// was shut down.
  func events() -> Socket.Events {
    guard let handle else { return [] }
    var value: Int32 = 0
    var size = MemoryLayout<Int32>.size
    while zmq_getsockopt(handle, ZMQ_EVENTS, &value, &size) != 0 {
      let code = zmq_errno()
      if code == EINTR { continue }
      trapOnMisuse(code, "read the events")
      value = 0
      break
    }
    return Socket.Events(rawValue: value)
  }

  func number<Number: FixedWidthInteger>(
    _ option: Int32, _ name: String, initial: Number
  ) throws(ZeroMQError) -> Number {
    var value = initial
    var size = MemoryLayout<Number>.size
    while zmq_getsockopt(pointer, option, &value, &size) != 0 {
      let code = zmq_errno()
      if code == EINTR { continue }
      throw failure(code, "read the \(name)")
    }
    return value
  }

  func set<Number: FixedWidthInteger>(
    _ option: Int32, _ value: Number, _ name: String
  ) throws(ZeroMQError) {
    var value = value
    try check("set \(name) of") {
      zmq_setsockopt(pointer, option, &value, MemoryLayout<Number>.size)
    }
  }

  func set(_ option: Int32, _ bytes: [UInt8], _ name: String) throws(ZeroMQError) {
    try check("set \(name) of") {
      bytes.withUnsafeBytes { zmq_setsockopt(pointer, option, $0.baseAddress, $0.count) }
    }
  }

  /// Calls until it was not merely interrupted; throws what the world did, traps on our own bugs.
  func check(_ operation: String, _ body: () -> Int32) throws(ZeroMQError) {
    while body() != 0 {
      let code = zmq_errno()
      if code == EINTR { continue }
      throw failure(code, operation)
    }
  }

  /// The failure of a call, for a person: `set linger of a router socket`.
  func failure(_ code: Int32, _ operation: String) -> ZeroMQError {
    trapOnMisuse(code, operation)
    return ZeroMQError(operation: "\(operation) a \(kind) socket", errno: code)
  }

  /// No peer can cause these: the wrapper or its user is wrong.
  func trapOnMisuse(_ code: Int32, _ operation: String) {
    switch code {
    case ZeroMQError.wrongState:
      preconditionFailure(
        "\(operation) a \(kind) socket: not in this state (a request must be followed by its reply;"
          + " set requestRelaxed to send again before)")
    case ENOTSOCK, EFAULT:
      preconditionFailure("\(operation) a \(kind) socket: \(String(cString: zmq_strerror(code)))")
    default: break
    }
  }
}
