import Glibc
import StatecastDaemon

/// A thousand clients at once, each with the same ten views, while actions go on: nothing is lost,
/// and what a client costs at either end.
struct CrowdCase {
  let options: BenchOptions

  private static let processes = 4
  private static let views = 10

  func run() throws -> [BenchCase] {
    let clients = options.isQuick ? 200 : 1000
    let files = try FileLimit.raise().files
    // Three connections a client at the daemon, three sockets in its own process, and room.
    guard files > 4 * clients else {
      throw BenchFailure("\(clients) clients need \(4 * clients) open files, the limit is \(files)")
    }
    let folder = try BenchFolder()
    let server = try Child(["load-serve", folder.path, "memory", "0"])
    defer { server.end() }
    try server.words(after: "serving")
    let idle = try ProcessMemory.own(server.pid)
    let start = ContinuousClock.now
    let crowd = try (0..<Self.processes).map { _ in
      try Child([
        "view-drive", folder.path, "\(clients / Self.processes)", "parts", "\(Self.views)",
      ])
    }
    for viewers in crowd { try viewers.words(after: "joined") }
    let attached = ContinuousClock.now
    let load = try Child(["load-drive", folder.path, "0"])
    try load.words(after: "joined")
    try load.tell("arrive 500 \(options.isQuick ? 250 : 1000)")
    try load.words(after: "quantiles")
    try load.tell("stop")
    guard let sent = try load.numbers(after: "sent").first else {
      throw BenchFailure("the load told no number")
    }
    for viewers in crowd { try viewers.tell("expect \(Int(sent))") }
    let lost = try crowd.map { try $0.numbers(after: "inexact").first ?? 0 }.reduce(0, +)
    let daemon = try ProcessMemory.own(server.pid)
    let own = try crowd.map { try ProcessMemory.own($0.pid) }.reduce(0, +)
    let name = "\(clients) clients, \(Self.views) views each"
    return [
      BenchCase(
        name: "\(name), mirrors not exact", value: lost, unit: "mirrors", bound: .atMost(0)),
      BenchCase(
        name: "\(name), attached in", value: (attached - start) / .seconds(1), unit: "s",
        bound: .none),
      BenchCase(
        name: "\(name), daemon's memory a client", value: (daemon - idle) * 1e3 / Double(clients),
        unit: "kB", bound: .none),
      BenchCase(
        name: "\(name), a client's own memory", value: own * 1e3 / Double(clients), unit: "kB",
        bound: .none),
    ]
  }
}
