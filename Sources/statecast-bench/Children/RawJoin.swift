import Glibc
import StateModel
import ZeroMQ

/// What a client's join is held against: libzmq alone sends the same bytes, and they are decoded.
enum RawJoin {
  /// Tells how many nanoseconds that took, the connection being there already.
  static func run(folder: String) async throws {
    let context = try Context()
    var socket = try Socket(.dealer, in: context)
    try socket.connect("ipc://\(folder)/requests")
    _ = try await ask([], &socket)
    let start = EventLoop.monotonicNow()
    let bytes = try await ask([1], &socket)
    let received = EventLoop.monotonicNow()
    let state = try Load.State(encoded: bytes)
    let end = EventLoop.monotonicNow()
    guard !state.items.isEmpty else { throw BenchFailure("the bytes hold no state") }
    Parent.tell("took \(end - start) \(received - start)")
    exit(0)
  }

  private static func ask(
    _ body: [UInt8], _ socket: inout Socket
  ) async throws -> [UInt8] {
    guard try socket.send(body) == .sent else { throw BenchFailure("the floor takes no request") }
    while true {
      if let message = try socket.receive() { return message.frames.last ?? [] }
      guard socket.waitUntilReadable(atMost: .seconds(10)) else {
        throw BenchFailure("the floor did not answer")
      }
    }
  }
}
