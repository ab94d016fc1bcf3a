import Foundation

/// `make bench`: pairs of the floor and ours, in turn, each with fresh processes, and the medians
/// of the pairs' ratios. Machines are noisy: only what ran side by side is compared.
struct Speed {
  static let window = 64

  /// How much is measured.
  let pairs: Int
  /// Seconds of each measurement; half as long is run before it to warm up.
  let seconds: Double

  /// libzmq has fast and slow placements of its threads: a pair whose floor is slower than this
  /// part of the best one is measured again.
  private static let slowFloor = 0.7

  /// A closed loop with so many mirrors, and what has to hold for it.
  private struct Loop {
    var durable: Bool
    var mirrors: Int
    var latency: BenchCase.Bound
    var throughput: BenchCase.Bound
  }

  private static let loops = [
    Loop(durable: false, mirrors: 1, latency: .atMost(1.25), throughput: .atLeast(1)),
    Loop(durable: false, mirrors: 10, latency: .atMost(1.15), throughput: .atLeast(1.5)),
    Loop(durable: true, mirrors: 1, latency: .atMost(1.2), throughput: .atLeast(1)),
    Loop(durable: true, mirrors: 10, latency: .atMost(1.2), throughput: .atLeast(1)),
  ]

  /// Measures everything; a line of JSON for each case as it is known, and a table at the end.
  func run() throws {
    var cases: [BenchCase] = []
    func report(_ more: [BenchCase]) {
      for one in more { print(one.json) }
      // Also where it goes to a file: each as it is known.
      fflush(nil)
      cases += more
    }
    for loop in Self.loops { report(try measure(loop)) }
    report(try alone())
    report([try idleMemory()])
    print("\n\(pairs) pairs of \(seconds) s, medians\n" + BenchCase.header)
    for one in cases { print(one.row) }
  }

  private func measure(_ loop: Loop) throws -> [BenchCase] {
    var measured: [(ours: Figures, floor: Figures)] = []
    for _ in 0..<pairs { measured.append(try pair(loop)) }
    var repeats = pairs
    while repeats > 0, let slow = Self.slowest(measured) {
      repeats -= 1
      measured[slow] = try pair(loop)
    }
    let name = "\(loop.durable ? "durable" : "memory"), \(loop.mirrors) mirrors"
    func figure(
      _ what: String, _ unit: String, _ value: KeyPath<Figures, Double>, _ bound: BenchCase.Bound
    ) -> BenchCase {
      BenchCase(
        name: "\(name), \(what)", value: median(measured.map { $0.ours[keyPath: value] }),
        unit: unit, beside: ("floor", median(measured.map { $0.floor[keyPath: value] })),
        ratio: median(measured.map { $0.ours[keyPath: value] / $0.floor[keyPath: value] }),
        bound: bound)
    }
    return [
      figure("one at a time, p50", "us", \.p50, loop.latency),
      figure("window \(Self.window)", "actions/s", \.perSecond, loop.throughput),
    ]
  }

  /// The pair with a floor that is too slow, if there is one.
  private static func slowest(_ measured: [(ours: Figures, floor: Figures)]) -> Int? {
    guard let best = measured.map(\.floor.perSecond).max(),
      let slow = measured.indices.min(by: {
        measured[$0].floor.perSecond < measured[$1].floor.perSecond
      })
    else { return nil }
    return measured[slow].floor.perSecond < slowFloor * best ? slow : nil
  }

  private func pair(_ loop: Loop) throws -> (ours: Figures, floor: Figures) {
    let floor = try measure("floor", loop)
    return (try measure("ours", loop), floor)
  }

  /// A server and a driver, both new, in a folder of their own.
  private func measure(_ kind: String, _ loop: Loop) throws -> Figures {
    try Self.withServer(kind, durable: loop.durable) { server, folder in
      let driver = try Self.start([kind + "-drive", folder, "\(loop.mirrors)", "\(seconds)"])
      driver.process.waitUntilExit()
      let text = String(decoding: driver.output.fileHandleForReading.availableData, as: UTF8.self)
      guard driver.process.terminationStatus == 0, let figures = Figures(line: text) else {
        throw BenchFailure("the driver of \(kind) failed: \(text)")
      }
      return figures
    }
  }

  /// What an action costs without sockets.
  private func alone() throws -> [BenchCase] {
    var hot = Hot(durable: false)
    let cost = try hot.run(batch: Self.window, seconds: seconds)
    return [
      BenchCase(
        name: "daemon's machine, 64 a request", value: cost.daemon, unit: "ns/action",
        bound: .atMost(1000)),
      BenchCase(
        name: "client's machine, 64 a request", value: cost.client, unit: "ns/action",
        bound: .none),
      BenchCase(
        name: "apply and digest", value: try Apply.perSecond(seconds: seconds), unit: "deltas/s",
        bound: .atLeast(1_000_000)),
    ]
  }

  /// The daemon's own memory, file pages apart, with nobody attached.
  private func idleMemory() throws -> BenchCase {
    let kilobytes = try Self.withServer("ours", durable: false) { server, folder in
      let driver = try Self.start(["ours-drive", folder, "0", "0.1"])
      driver.process.waitUntilExit()
      let status = try String(
        contentsOfFile: "/proc/\(server.processIdentifier)/status", encoding: .utf8)
      return status.split(separator: "\n")
        .filter { $0.hasPrefix("RssAnon:") || $0.hasPrefix("RssShmem:") }
        .compactMap { line in
          line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        }
        .reduce(0, +)
    }
    return BenchCase(
      name: "daemon's memory, idle", value: kilobytes / 1024, unit: "MB",
      bound: .atMost(8))
  }

  private static func withServer<Result>(
    _ kind: String, durable: Bool, _ body: (Process, String) throws -> Result
  ) throws -> Result {
    let folder = "/var/tmp/statecast-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try start([kind + "-serve", folder, durable ? "durable" : "memory"]).process
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    return try body(server, folder)
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
