internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// Counts the connections that a listening socket has, as its I/O thread tells.
///
/// libzmq aborts the process when accepting an ipc connection finds no descriptor left: who listens
/// counts, and throws newcomers out in time. Watch `socket` on the loop and call `drain` when it is
/// readable.
package struct Monitor: ~Copyable {
  /// Readable when something happened. Not to be received from directly.
  package var socket: Socket
  /// The connections that stand, with how often each was counted by `count`.
  private var descriptors: [Int32: Int] = [:]
  /// Connections that were accepted and turned away at once, by the filter of users.
  package private(set) var refused = 0
  /// Connections that no descriptor was left for: turned away, or tried again by libzmq, which is then
  /// counted each time.
  package private(set) var lackedDescriptors = 0
  /// Connections that `drain` ended because there were too many.
  package private(set) var thrownOut = 0
  private let monitored: SocketCore

  /// News that one `drain` takes in: with more of it the loop turns to its other work first.
  package static let newsPerDrain = 4096

  private static let names = Atomic(0)
  private static let accepted: UInt16 = 0x20
  private static let acceptFailed: UInt16 = 0x40
  private static let disconnected: UInt16 = 0x200

  /// Begins to count; before the socket is bound, or the first connections are missed.
  package init(of socket: borrowing Socket) throws(ZeroMQError) {
    let name = Self.names.wrappingAdd(1, ordering: .relaxed).newValue
    let endpoint = "inproc://monitor-\(name)"
    let monitored = socket.core
    let events = Int32(Self.accepted | Self.acceptFailed | Self.disconnected)
    try monitored.check("monitor") { zmq_socket_monitor(monitored.pointer, endpoint, events) }
    // The I/O thread would wait for a slow reader of its news, and every peer with it: no limit.
    let pair = try Socket(.pair, in: monitored.context, options: .with { $0.receiveHighWater = 0 })
    try pair.connect(endpoint)
    self.socket = pair
    self.monitored = monitored
  }

  deinit {
    // Ends the I/O thread's side; nothing to do if the monitored socket went first.
    if !monitored.isClosed { zmq_socket_monitor(monitored.pointer, nil, 0) }
  }

  /// The connections that stood at the last `drain`.
  package var connections: Int { descriptors.count }

  /// Counts something that a connection did, and returns how often it did so since it came. Zero for
  /// one that no news was of yet, or that is gone.
  package mutating func count(_ descriptor: Int32) -> Int {
    guard let counted = descriptors[descriptor] else { return 0 }
    descriptors[descriptor] = counted + 1
    return counted + 1
  }

  /// Takes in what happened, at most `newsPerDrain` of it, and returns how many connections stand.
  ///
  /// Connections beyond `limit` are thrown out as they come; those that stand notice nothing.
  /// (Unbinding would hang up on all of them.) Their peers try again until there is room.
  @discardableResult
  package mutating func drain(limit: Int = .max) throws(ZeroMQError) -> Int {
    for _ in 0..<Self.newsPerDrain {
      guard let message = try socket.receive() else { break }
      // 16 bits of event, 32 of value, in this machine's order; then the endpoint.
      guard let frame = message.frames.first, frame.count == 6 else { continue }
      let event = frame.withUnsafeBytes { $0.loadUnaligned(as: UInt16.self) }
      let value = frame.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: Int32.self) }
      switch event {
      case Self.accepted:
        descriptors[value] = 0
        if descriptors.count > limit {
          thrownOut += 1
          // Should it be gone already and its number be another connection's, then that one came
          // later still. It stays in the count until libzmq says that it is closed.
          Glibc.shutdown(value, Int32(SHUT_RDWR))
        }
      case Self.acceptFailed:
        if value == EMFILE || value == ENFILE { lackedDescriptors += 1 } else { refused += 1 }
      case Self.disconnected: descriptors[value] = nil
      default: break
      }
    }
    return descriptors.count
  }
}
