import Foundation

/// A plain stream to an endpoint, without ZeroMQ.
enum PlainStream {
  static func connect(_ endpoint: String) -> Int32? {
    if endpoint.hasPrefix("ipc://") {
      return UnixStream.connect(String(endpoint.dropFirst("ipc://".count)))
    }
    guard let port = endpoint.split(separator: ":").last.flatMap({ UInt16($0) }) else { return nil }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    // Where nobody accepts, a connection waits for seconds: a flood goes on without it.
    var patience = timeval(tv_sec: 0, tv_usec: 200_000)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return connected(descriptor, to: loopback(port))
  }

  /// The descriptor; closed, and nil, where nobody lets it in.
  static func connected<Address>(_ descriptor: Int32, to address: Address) -> Int32? {
    let size = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, size)
      }
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    UnixStream.write(bytes, to: descriptor)
  }

  /// A port that nobody listens on.
  static func freePort() -> UInt16? {
    guard let (descriptor, port) = listener() else { return nil }
    close(descriptor)
    return port
  }

  /// Somebody who listens on a port of this machine.
  static func listener() -> (descriptor: Int32, port: UInt16)? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 1) == 0
          ? getsockname(descriptor, $0, &size) : -1
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
