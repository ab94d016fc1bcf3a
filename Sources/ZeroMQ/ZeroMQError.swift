internal import CZeroMQ

/// A call of libzmq that failed for a reason of the world: what was tried, where, and why.
package struct ZeroMQError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `bind ipc:///run/x`
  package var operation: String
  /// The number that libzmq or the system gave.
  package var errno: Int32

  package init(operation: String, errno: Int32) {
    self.operation = operation
    self.errno = errno
  }

  /// The error of the call that just failed on this thread.
  static func last(_ operation: String) -> ZeroMQError {
    ZeroMQError(operation: operation, errno: zmq_errno())
  }

  // libzmq's own numbers are macros with arithmetic, which Swift does not import.
  private static let base: Int32 = 156_384_712
  static let wrongState: Int32 = base + 51
  static let contextEnded: Int32 = base + 53

  /// Whether the context was shut down: the socket is of no use any more, and that is no fault.
  package var isContextEnded: Bool { errno == Self.contextEnded }

  /// `bind ipc:///run/x: Address already in use`
  package var description: String { "\(operation): \(String(cString: zmq_strerror(errno)))" }
}
