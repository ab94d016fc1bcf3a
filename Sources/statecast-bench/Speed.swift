import Foundation

/// `make bench`: pairs of the floor and ours, in turn, each with fresh processes, and the medians
/// of the pairs' ratios. The machine is noisy: only what ran side by side is compared.
enum Speed {
  static let window = 64
  static let seconds = 0.4

  static func run(pairs: Int) throws {
    print("closed loop, ipc, \(pairs) pairs, medians; ratio = ours / floor")
    print(
      "mode     mirrors   p50 µs ours/floor      ratio   window 64, actions/s ours/floor   ratio")
    for durable in [false, true] {
      for mirrors in [1, 10] {
        var ours: [Figures] = []
        var floor: [Figures] = []
        for _ in 0..<pairs {
          floor.append(try measure("floor", mirrors: mirrors, durable: durable))
          ours.append(try measure("ours", mirrors: mirrors, durable: durable))
        }
        let latency = median(zip(ours, floor).map { $0.p50 / $1.p50 })
        let throughput = median(zip(ours, floor).map { $0.perSecond / $1.perSecond })
        let row = [
          durable ? "durable" : "memory ", "\(mirrors)".padding(7),
          pair(ours.map(\.p50), floor.map(\.p50)).padding(22), String(format: "%.2f", latency),
          pair(ours.map(\.perSecond), floor.map(\.perSecond)).padding(32),
          String(format: "%.2f", throughput),
        ]
        print(row.joined(separator: "  "))
      }
    }
  }

  private static func pair(_ ours: [Double], _ floor: [Double]) -> String {
    String(format: "%.0f / %.0f", median(ours), median(floor))
  }

  /// A server and a driver, both new, in a folder of their own.
  private static func measure(_ kind: String, mirrors: Int, durable: Bool) throws -> Figures {
    let folder = "/var/tmp/statecast-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try start([kind + "-serve", folder, durable ? "durable" : "memory"])
    defer {
      server.process.terminate()
      server.process.waitUntilExit()
    }
    let driver = try start([kind + "-drive", folder, "\(mirrors)"])
    driver.process.waitUntilExit()
    let text = String(decoding: driver.output.fileHandleForReading.availableData, as: UTF8.self)
    guard driver.process.terminationStatus == 0, let figures = Figures(line: text) else {
      throw BenchFailure("the driver of \(kind) failed: \(text)")
    }
    return figures
  }

  private static func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return (process, output)
  }
}

struct BenchFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

extension String {
  fileprivate func padding(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
