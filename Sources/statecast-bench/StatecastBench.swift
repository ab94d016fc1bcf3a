import CFloor
import Foundation
import StatecastTesting

/// The benchmark's commands; `*-serve` and `*-drive` are its own child processes.
@main
enum StatecastBench {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    // A benchmark that is ended leaves no server behind.
    if ["-serve", "-drive", "-client"].contains(where: { arguments.first?.hasSuffix($0) == true }) {
      floor_end_with_parent()
    }
    switch arguments.first {
    case "speed":
      guard arguments.count <= 3, let pairs = Int(arguments.count > 1 ? arguments[1] : "9"),
        let seconds = Double(arguments.count > 2 ? arguments[2] : "0.4"), pairs > 0, seconds > 0
      else { throw BenchFailure(usage) }
      try Speed(pairs: pairs, seconds: seconds).run()
    case "ours-serve":
      try await Serve.ours(folder: arguments[1], durable: arguments[2] == "durable")
    case "ours-drive":
      try await drive(
        folder: arguments[1], mirrors: Int(arguments[2]) ?? 1, seconds: seconds(arguments))
    case "floor-serve":
      let file = arguments[2] == "durable" ? arguments[1] + "/floor.log" : nil
      let folder = arguments[1]
      let result = floor_serve("ipc://\(folder)/requests", "ipc://\(folder)/publications", file)
      if result != 0 { throw BenchFailure("the floor's server failed") }
    case "floor-drive":
      var figures = floor_figures()
      let folder = arguments[1]
      let result = floor_drive(
        "ipc://\(folder)/requests", "ipc://\(folder)/publications", Int32(arguments[2]) ?? 1,
        Int32(Speed.window), seconds(arguments), &figures)
      if result != 0 { throw BenchFailure("the floor's driver failed") }
      print(
        Figures(p50: figures.p50_us, p99: figures.p99_us, perSecond: figures.per_second).line)
    case "hot": try hot(seconds: arguments.dropFirst().first.flatMap { Double($0) } ?? 0.4)
    case "hot-steps":
      guard arguments.count == 4, let batch = Int(arguments[2]), let count = Int(arguments[3]),
        batch > 0
      else { throw BenchFailure(usage) }
      var hot = Hot(durable: arguments[1] == "durable")
      try hot.steps(batch: batch, count: count)
    case "growth":
      try GrowthReport(seconds: arguments.dropFirst().first.flatMap { Double($0) } ?? 0.3).run()
    case "recovery":
      guard let folder = arguments.dropFirst().first else { throw BenchFailure(usage) }
      let actions = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1_000_000
      try Recovering.run(actions: actions, folder: folder)
    case "torture":
      guard let options = TortureOptions(arguments: Array(arguments.dropFirst())) else {
        throw BenchFailure(usage)
      }
      say("seed \(options.seed)")
      try await Torture.run(Products.path("statecastd"), options) { say($0) }
    case "torture-client":
      guard arguments.count == 3 else { throw BenchFailure(usage) }
      try await TortureClient.run(folder: arguments[1], name: arguments[2])
    case "demo-data": try await DemoData.run()
    case "mirror-child": try await MirrorChild.run(folder: arguments[1], number: arguments[2])
    default: throw BenchFailure(usage)
    }
  }

  private static let usage =
    "usage: statecast-bench speed [PAIRS [SECONDS]] | hot [SECONDS] | hot-steps memory|durable BATCH COUNT | growth [SECONDS] | "
    + "torture --rounds N [--seed N] [--minutes] [--disk BYTES, at least \(TortureOptions.leastDiskBytes)] | "
    + "recovery FOLDER [ACTIONS] | demo-data"

  /// A line at once, also into a file or a pipe: a run of hours is followed there.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func seconds(_ arguments: [String]) -> Double {
    arguments.dropFirst(3).first.flatMap { Double($0) } ?? 0.4
  }

  private static func drive(folder: String, mirrors: Int, seconds: Double) async throws {
    let drive = try Drive(folder: folder, subscribers: mirrors)
    await drive.join()
    _ = await drive.oneByOne(seconds / 2)
    let samples = await drive.oneByOne(seconds).sorted()
    _ = await drive.windowed(seconds / 2, window: Speed.window)
    let perSecond = await drive.windowed(seconds, window: Speed.window)
    guard await drive.mirrorsAreExact() else {
      throw BenchFailure("a mirror is not what the actions made: the figures do not count")
    }
    print(
      Figures(
        p50: Double(samples[samples.count / 2]) / 1e3,
        p99: Double(samples[samples.count * 99 / 100]) / 1e3, perSecond: perSecond
      ).line)
    exit(0)
  }

  /// What an action costs at either end without sockets, by how many are in a request.
  private static func hot(seconds: Double) throws {
    for durable in [false, true] {
      for batch in [1, 16, 64, 256] {
        var hot = Hot(durable: durable)
        let cost = try hot.run(batch: batch, seconds: seconds)
        print(
          durable ? "durable" : "memory ", "batch \(batch):",
          String(format: "daemon %.0f ns, client %.0f ns an action", cost.daemon, cost.client))
      }
    }
  }
}
