import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing
import ZeroMQ

extension Spawned {
  @Suite("A daemon with 1,024 descriptors")
  struct CrowdedTests {
    /// How the daemon is reached.
    enum Transport: String, CaseIterable {
      case ipc, tcp
    }

    /// Descriptors of the daemon, soft and hard.
    static let descriptors = 1024
    /// Connections that stand at once, to each of the two sockets: together more than there are
    /// descriptors.
    static let together = 700
    static let rounds = 5
    /// Resident bytes that the daemon may have had at most. Each connection that stands costs libzmq
    /// some 20 kB, and half of the descriptors may be connections.
    static let residentBytes = 160 << 20

    @Test(
      "Floods of connections: it lives, within its bounds, and who was there notices nothing",
      arguments: Transport.allCases)
    func flood(transport: Transport) async throws {
      let folder = try ScratchFolder()
      let endpoints = try Self.endpoints(transport, in: folder)
      let daemon = try Self.launch(endpoints, in: folder)
      let client = try await Self.connect(endpoints)
      let mirror = await Workshop.mirror(client)
      try await mirror.wait { $0.isFresh }
      let process = Process(pid: daemon.process.pid)
      #expect(try process.limit == Self.descriptors)
      let before = try process.openDescriptors
      let seed = UInt64.random(in: .min ... .max)
      var noise = Noise(seed: seed)
      var most = before
      var connected = 0
      for round in 1...Self.rounds {
        var held: [Int32] = []
        for number in 0..<(2 * Self.together) {
          let endpoint = number.isMultiple(of: 2) ? endpoints.requests : endpoints.publications
          guard let descriptor = PlainStream.connect(endpoint) else { continue }
          held.append(descriptor)
          // Silent, half a greeting or random bytes; some go at once.
          if number % 3 != 0 {
            PlainStream.write(noise.bytes(atMost: 64, greeting: true), to: descriptor)
          }
          if number % 10 == 0 { close(held.removeLast()) }
        }
        connected += held.count
        most = max(most, try process.openDescriptors)
        let receipt = try await client.perform(WorkspaceEntry.load("a", .unsigned(UInt64(round))))
        try await mirror.wait(for: receipt.commit)
        #expect(daemon.process.ending == nil, "seed \(seed)\n\(daemon.process.errors)")
        for descriptor in held { close(descriptor) }
      }
      #expect(connected > Self.rounds * Self.together, "seed \(seed)")
      #expect(most > before + Self.descriptors / 4, "no flood: \(most) descriptors at most")
      #expect(await mirror.staleReasons.isEmpty, "seed \(seed)")
      #expect(await mirror.value["a"]?.integer == Self.rounds)
      let resident = try process.mostResident
      #expect(resident < Self.residentBytes, "seed \(seed)")
      // All is as before: the descriptors are back, and who comes now is let in.
      while try process.openDescriptors > before {
        _ = try await client.perform(WorkspaceEntry.load("b", .null))
      }
      let late = try await Self.connect(endpoints)
      #expect(try await late.perform(WorkspaceEntry.load("c", .null)).changed)
      await late.close()
      await client.close()
      #expect(await daemon.process.terminate() == .exited(0), "\(daemon.process.errors)")
      print(
        "\(transport): \(connected) connections; descriptors \(before) before, \(most) at most; "
          + "\(resident >> 20) MiB at most")
    }

    private static func endpoints(
      _ transport: Transport, in folder: ScratchFolder
    ) throws -> DaemonEndpoints {
      switch transport {
      case .ipc: DaemonEndpoints(folder: folder.path)
      case .tcp:
        DaemonEndpoints(
          requests: "tcp://127.0.0.1:\(try #require(PlainStream.freePort()))",
          publications: "tcp://127.0.0.1:\(try #require(PlainStream.freePort()))")
      }
    }

    /// Through a script that takes its descriptors away first.
    private static func launch(
      _ endpoints: DaemonEndpoints, in folder: ScratchFolder
    ) throws -> DaemonProcess {
      let script = folder.file("with-few-descriptors")
      try "#!/bin/sh\nulimit -n \(descriptors)\nexec \(Workshop.daemon) \"$@\"\n"
        .write(toFile: script, atomically: true, encoding: .utf8)
      chmod(script, 0o700)
      return try DaemonProcess.launch(
        script, in: folder, isDurable: false,
        arguments: [
          "--requests", endpoints.requests, "--publications", endpoints.publications,
        ])
    }

    private static func connect(_ endpoints: DaemonEndpoints) async throws -> DaemonConnection {
      var options = DaemonConnection.Options(endpoints: endpoints)
      options.timeout = .seconds(30)
      return try await DaemonConnection(options)
    }
  }
}

/// What the kernel tells of a process.
private struct Process {
  var pid: Int32

  var openDescriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count }
  }

  /// Descriptors that it may have.
  var limit: Int? {
    get throws { try number(after: "Max open files", in: "limits") }
  }

  /// Bytes that were resident at most.
  var mostResident: Int {
    get throws { try #require(try number(after: "VmHWM:", in: "status")) << 10 }
  }

  private func number(after name: String, in file: String) throws -> Int? {
    let lines = try String(contentsOfFile: "/proc/\(pid)/\(file)", encoding: .utf8)
      .split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix(name) }) else { return nil }
    return line.dropFirst(name.count).split(whereSeparator: \.isWhitespace).first.flatMap {
      Int($0)
    }
  }
}

/// A plain stream to an endpoint, without ZeroMQ.
enum PlainStream {
  static func connect(_ endpoint: String) -> Int32? {
    if endpoint.hasPrefix("ipc://") {
      return UnixStream.connect(String(endpoint.dropFirst("ipc://".count)))
    }
    guard let port = endpoint.split(separator: ":").last.flatMap({ UInt16($0) }) else { return nil }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = loopback(port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, size)
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    UnixStream.write(bytes, to: descriptor)
  }

  /// A port that nobody listens on.
  static func freePort() -> UInt16? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    return result == 0 ? UInt16(bigEndian: address.sin_port) : nil
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
