import CFloor
import Foundation
import StatecastTesting

/// The benchmark's commands; `*-serve`, `*-drive` and `*-client` are its own child processes.
@main
enum StatecastBench {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Notice.say("Error: \(error)")
      exit(error is UsageFailure ? 2 : 1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    let words = Array(arguments.dropFirst())
    if ["-serve", "-drive", "-client"].contains(where: { arguments.first?.hasSuffix($0) == true }) {
      return try await child(arguments[0], words)
    }
    switch (arguments.first, words.count) {
    case (nil, _), ("--help", _), ("-h", _), ("help", _): print(help)
    case _ where words.contains("--help") || words.contains("-h"): print(help)
    case ("run", _): try await suite(words)
    case ("joiners", _): try await suite(["--rounds", "1000", "--only", "joiners"] + words)
    case ("stopped", _):
      try await suite(["--stopped", "60", "--actions", "100000", "--only", "stopped"] + words)
    case ("hot", 0...1): try hot(seconds: words.first.flatMap { Double($0) } ?? 0.4)
    case ("hot-steps", 3):
      guard let batch = Int(words[1]), let count = Int(words[2]), batch > 0 else {
        throw UsageFailure()
      }
      var hot = Hot(durable: words[0] == "durable")
      try hot.steps(batch: batch, count: count)
    case ("recovery", 1...2):
      let actions = words.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
      for seconds in try Recovering.run(actions: actions, folder: words[0]) {
        Parent.tell(String(format: "\(actions) actions recovered in %.2f s", seconds))
      }
    case ("torture", _):
      guard let options = TortureOptions(arguments: words) else { throw UsageFailure() }
      Parent.tell("seed \(options.seed)")
      try await Torture.run(Products.path("statecastd"), options) { Parent.tell($0) }
    case ("demo-data", 0): try await DemoData.run()
    default: throw UsageFailure()
    }
  }

  /// The process of a case, which tells its parent in lines what it found.
  private static func child(_ name: String, _ words: [String]) async throws {
    switch (name, words.count) {
    case ("ours-serve", 2): try await Serve.ours(folder: words[0], durable: words[1] == "durable")
    case ("load-serve", 3):
      try await Serve.load(
        folder: words[0], megabytes: Double(words[2]) ?? 0, durable: words[1] == "durable")
    case ("bytes-serve", 2): try Serve.bytes(folder: words[0], megabytes: Double(words[1]) ?? 0)
    case ("floor-serve", 2): try Serve.floor(folder: words[0], durable: words[1] == "durable")
    case ("nats-serve", 1): try Serve.nats(port: words[0])
    case ("peer-serve", 1...):
      _ = floor_become(words.joined(separator: "\n"))
      throw BenchFailure("\(words[0]) cannot be started")
    case ("closed-drive", 5):
      try await LoopDriver.closed(
        contender(words[0]), at: words[1], mirrors: Int(words[2]) ?? 1,
        seconds: Double(words[3]) ?? 0.3,
        windows: words[4].split(separator: ",").compactMap { Int($0) })
    case ("open-drive", 5):
      try await LoopDriver.open(
        contender(words[0]), at: words[1], mirrors: Int(words[2]) ?? 1,
        seconds: Double(words[3]) ?? 0.3, rate: Int(words[4]) ?? 1)
    case ("load-drive", 2): try await LoadDriver.run(folder: words[0], mirrors: Int(words[1]) ?? 1)
    case ("view-drive", 3...):
      try await ViewersDriver.run(
        folder: words[0], clients: Int(words[1]) ?? 1, kind: Array(words.dropFirst(2)))
    case ("bytes-drive", 1): try await RawJoin.run(folder: words[0])
    case ("mirror-client", 2): try await MirrorChild.run(folder: words[0], number: words[1])
    case ("torture-client", 2): try await TortureClient.run(folder: words[0], name: words[1])
    default: throw UsageFailure()
    }
  }

  /// What `--help` prints.
  static let help = """
    statecast-bench: measures Statecast on this machine, against ZeroMQ and SQLite alone.

    Usage: statecast-bench COMMAND [OPTIONS]

      run           all cases, or those of --only GROUP,…: \(Suite.groups.joined(separator: ", "))
      joiners       a thousand clients that start one after the other; --rounds N
      stopped       a subscriber that is stopped under load; --stopped SECONDS, --actions N
      hot [SECONDS] what an action costs at either end without sockets
      hot-steps memory|durable BATCH COUNT
                    the same actions and nothing else, for a profiler
      recovery FOLDER [ACTIONS]
                    a journal is made in FOLDER, and recovered
      torture       kills, stops, cuts and full disks under load; --rounds N, --seed N, --minutes,
                    --disk BYTES (at least \(TortureOptions.leastDiskBytes); needs root)
      demo-data     real documents and an editing session, through a daemon that is killed half-way

    Options of run, joiners and stopped:
      --quick       a first look: fewer cases, shorter runs
      --peers       Redis and NATS beside it, where they are installed
      --pairs N     how often each case is run beside the floor (9); the median counts
      --seconds S   how long each run is (0.3)
      --rate N      actions a second of the open loop (10000)
      --rounds N    clients that start, in joiners (200; 1000 as a command)
      --stopped S, --actions N
                    how long the subscriber stands still, and under how many actions
      -h, --help    this text

    Exit codes: 0 done, 1 not done, 2 usage.
    """

  private static func suite(_ words: [String]) async throws {
    guard let options = BenchOptions(arguments: words) else { throw UsageFailure() }
    _ = try await Suite(options: options).run()
  }

  private static func contender(_ name: String) throws -> Contender {
    guard let contender = Contender(rawValue: name) else { throw UsageFailure() }
    return contender
  }

  /// What an action costs at either end without sockets, by how many are in a request.
  private static func hot(seconds: Double) throws {
    for durable in [false, true] {
      for batch in [1, 16, 64, 256] {
        var hot = Hot(durable: durable)
        let cost = try hot.run(batch: batch, seconds: seconds)
        print(
          durable ? "durable" : "memory ", "batch \(batch):",
          String(
            format: "daemon %.0f ns and %.1f allocations, client %.0f ns and %.1f, an action",
            cost.daemon.time, cost.daemon.allocations, cost.client.time, cost.client.allocations))
      }
    }
  }
}
