internal import CZeroMQ

/// A call of libzmq that failed for a reason of the world: what was tried, where, and why.
package struct ZeroMQError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `bind ipc:///run/x`
  package var operation: String
  package var errno: Int32

  package init(operation: String, errno: Int32) {
    self.operation = operation
    self.errno = errno
  }

  /// The error of the call that just failed on this thread.
  static func last(_ operation: String) -> ZeroMQError {
    ZeroMQError(operation: operation, errno: zmq_errno())
  }

  /// `bind ipc:///run/x: Address already in use`
  package var description: String { "\(operation): \(String(cString: zmq_strerror(errno)))" }
}
