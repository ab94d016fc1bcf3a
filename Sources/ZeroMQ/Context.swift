internal import CZeroMQ

/// libzmq's context: owns the I/O thread that all its sockets share.
///
/// Ends in the order that libzmq needs: `shutdown`, close every socket, `terminate` (which would
/// hang while a socket lives).
package final class Context: @unchecked Sendable {
  // Thread-safe in libzmq; the pointer itself never changes.
  let pointer: UnsafeMutableRawPointer

  package init() throws(ZeroMQError) {
    guard let pointer = zmq_ctx_new() else { throw .last("make a context") }
    self.pointer = pointer
  }

  /// Lets every blocking call on the context's sockets return.
  package func shutdown() { zmq_ctx_shutdown(pointer) }

  /// Waits for the sockets' last messages, each at most its linger time. All must be closed.
  package func terminate() { while zmq_ctx_term(pointer) != 0, zmq_errno() == EINTR {} }
}
