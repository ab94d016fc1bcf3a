internal import CZeroMQ
internal import Synchronization

/// libzmq's context: owns the I/O thread that all its sockets share.
///
/// Ends in the order that libzmq needs: `shutdown`, close every socket, `terminate` (which would
/// hang while a socket lives: here it names the survivors and traps instead). Sockets hold their
/// context, so one that is simply dropped ends itself after the last of them.
package final class Context: @unchecked Sendable {
  // libzmq's contexts are thread-safe; the pointer never changes and `survivors` has its lock.
  private let pointer: UnsafeMutableRawPointer
  private let survivors = Mutex(Survivors())

  private struct Survivors {
    /// Where each living socket was made, by its address.
    var places: [UInt: String] = [:]
    var isTerminated = false
  }

  package init() throws(ZeroMQError) {
    guard let pointer = zmq_ctx_new() else { throw .last("make a context") }
    self.pointer = pointer
  }

  deinit {
    // No socket is left (each holds its context): this waits for their last messages at most.
    if !survivors.withLock({ $0.isTerminated }) { Self.terminate(pointer) }
  }

  /// Lets every blocking call on the context's sockets return. Safe from any thread, and twice.
  package func shutdown() {
    survivors.withLock { survivors in
      guard !survivors.isTerminated else { return }
      zmq_ctx_shutdown(pointer)
    }
  }

  /// Waits for the sockets' last messages, each at most its linger time. All must be closed.
  package func terminate() {
    let left: [String]? = survivors.withLock { survivors in
      if survivors.isTerminated { return nil }
      if survivors.places.isEmpty { survivors.isTerminated = true }
      return survivors.places.values.sorted()
    }
    guard let left else { return }
    precondition(
      left.isEmpty,
      "Context.terminate would hang: \(left.count) sockets live (\(left.joined(separator: ", ")))."
        + " Close every socket first.")
    Self.terminate(pointer)
  }

  private static func terminate(_ pointer: UnsafeMutableRawPointer) {
    while zmq_ctx_term(pointer) != 0, zmq_errno() == EINTR {}
  }

  /// A new socket, remembered with the place that made it until `forget`.
  func makeSocket(
    _ kind: Socket.Kind, at place: @autoclosure () -> String
  ) throws(ZeroMQError) -> UnsafeMutableRawPointer {
    let made = survivors.withLock { survivors -> UnsafeMutableRawPointer? in
      precondition(!survivors.isTerminated, "a \(kind) socket was asked of a terminated Context")
      guard let socket = zmq_socket(pointer, kind.rawValue) else { return nil }
      survivors.places[UInt(bitPattern: socket)] = "\(kind) made at \(place())"
      return socket
    }
    guard let made else { throw .last("make a \(kind) socket") }
    return made
  }

  /// The socket was closed.
  func forget(_ socket: UnsafeMutableRawPointer) {
    let address = UInt(bitPattern: socket)
    survivors.withLock { $0.places[address] = nil }
  }
}
