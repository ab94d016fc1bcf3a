import CFloor
import Foundation
import StatecastTesting
import ZeroMQ

/// Who runs a loop: Statecast, as users use it or with one action a request, the floor, or a peer.
enum Contender: String, CaseIterable {
  case ours, dealer, floor, redis, nats

  /// Programs that have to be installed for it.
  private var program: String? {
    switch self {
    case .ours, .dealer, .floor: nil
    case .redis: "redis-server"
    case .nats: "nats-server"
    }
  }

  /// Why it cannot run here, and what to do about that; nil if it can.
  var missing: String? {
    guard let program, Programs.path(program) == nil else { return nil }
    return "\(rawValue) is left out: there is no \(program). Try: sudo apt-get install \(program)"
  }

  /// Starts its server, and returns once it serves.
  func serve(in folder: BenchFolder, durable: Bool) throws -> Server {
    switch self {
    case .ours, .dealer, .floor:
      let kind = self == .floor ? "floor" : "ours"
      let child = try Child(["\(kind)-serve", folder.path, durable ? "durable" : "memory"])
      try child.words(after: "serving")
      return Server(children: [child], address: folder.path)
    case .redis:
      let socket = folder.path + "/redis.sock"
      // By way of this program, so that it ends with the benchmark, however that ends.
      let child = try Child([
        "peer-serve", try found(),
        "--port", "0", "--unixsocket", socket, "--dir", folder.path, "--save", "",
        "--appendonly", durable ? "yes" : "no", "--appendfsync", durable ? "always" : "no",
      ])
      while try !child.line().contains("eady to accept connections") {}
      return Server(children: [child], address: socket)
    case .nats:
      let port = floor_free_port()
      let child = try Child([
        "peer-serve", "/bin/sh", "-c", "exec '\(try found())' -a 127.0.0.1 -p \(port) 2>&1",
      ])
      while try !child.line().contains("Server is ready") {}
      let responder = try Child(["nats-serve", "\(port)"])
      try responder.words(after: "serving")
      return Server(children: [child, responder], address: "\(port)")
    }
  }

  private func found() throws -> String {
    guard let program, let path = Programs.path(program) else {
      throw BenchFailure(missing ?? "there is no program of \(rawValue)")
    }
    return path
  }

  /// The server's processes.
  struct Server {
    let children: [Child]
    /// What the driver connects to.
    let address: String

    func stop() { for child in children.reversed() { child.end() } }
  }
}

/// Programs that are installed.
enum Programs {
  /// Where one is: on `PATH`, or where Debian puts what only administrators start.
  static func path(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (folders + ["/usr/sbin", "/usr/bin"]).lazy.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
