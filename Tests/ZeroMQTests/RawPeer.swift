import Glibc
import Testing

@testable import ZeroMQ

/// A connection that speaks ZMTP by hand, or anything but: what a stranger may put on a socket.
struct RawPeer: ~Copyable {
  let descriptor: Int32

  /// Connects to an `ipc://` or `tcp://127.0.0.1:` endpoint.
  init(_ endpoint: String) throws {
    if endpoint.hasPrefix("ipc://") {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let path = Array(endpoint.dropFirst(6).utf8)
      try #require(path.count < MemoryLayout.size(ofValue: address.sun_path))
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
      try connect(&address)
    } else {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
      address.sin_port = port.bigEndian
      try connect(&address)
    }
  }

  deinit { close(descriptor) }

  private func connect<Address>(_ address: inout Address) throws {
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    // Thrown, not recorded: some tests expect it.
    guard result == 0 else { throw ZeroMQError(operation: "connect", errno: errno) }
  }

  /// Sends; the other end may have hung up already, that is no matter here.
  func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Reads until the other end hangs up; false if it does not within the patience. The sockets
  /// given are kept going meanwhile.
  func waitForHangUp(within patience: Duration = patience, with others: [SocketCore] = []) -> Bool {
    let deadline = EventLoop.monotonicNow() + Int64(patience / .nanoseconds(1))
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let left = deadline - EventLoop.monotonicNow()
      guard left > 0 else { return false }
      for other in others { _ = other.events() }
      var items = ([descriptor] + others.compactMap { try? $0.descriptor() }).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&items, nfds_t(items.count), Int32(left / 1_000_000) + 1)
      guard items[0].revents != 0 else { continue }
      if recv(descriptor, &buffer, buffer.count, 0) <= 0 { return true }
    }
  }

  /// A whole ZMTP 3.0 greeting without security, and the handshake of that kind of socket.
  static func greeting(as socketType: String) -> [UInt8] {
    var greeting: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0]
    greeting += Array("NULL".utf8) + [UInt8](repeating: 0, count: 16 + 1 + 31)
    let property = [11] + Array("Socket-Type".utf8) + [0, 0, 0, UInt8(socketType.utf8.count)]
    let ready = [5] + Array("READY".utf8) + property + Array(socketType.utf8)
    return greeting + [0x04, UInt8(ready.count)] + ready
  }

  /// Shakes hands as that kind of socket. libzmq refuses frames that come before its own handshake
  /// has gone out, so that is waited for.
  func shakeHands(as socketType: String) throws {
    write(Self.greeting(as: socketType))
    var received: [UInt8] = []
    // Its greeting, then a command of one byte's length.
    while received.count < 66 || received.count < 66 + Int(received[65]) {
      var buffer = [UInt8](repeating: 0, count: 512)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      try #require(count > 0, "hung up during the handshake")
      received += buffer[..<count]
    }
  }

  /// A short frame, the last of its message unless there is more.
  static func frame(_ body: [UInt8], more: Bool = false) -> [UInt8] {
    [more ? 1 : 0, UInt8(body.count)] + body
  }
}
