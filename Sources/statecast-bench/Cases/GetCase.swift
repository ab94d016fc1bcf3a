import CFloor
import StatecastTesting

/// `statecast get` from start to exit, beside `redis-cli get`.
struct GetCase {
  let options: BenchOptions

  func run() async throws -> [BenchCase] {
    let daemon = try await DaemonProcess.start("statecastd", isDurable: false)
    let folder = try BenchFolder()
    let redis =
      Contender.redis.missing == nil ? try Contender.redis.serve(in: folder, durable: false) : nil
    defer { redis?.stop() }
    let ours = [Products.path("statecast"), "get", "counter", "--folder", daemon.folder.path]
    let other = redis.flatMap { redis in
      Programs.path("redis-cli").map { [$0, "-s", redis.address, "get", "counter"] }
    }
    var took: [Double] = []
    var beside: [Double] = []
    for _ in 0..<(options.isQuick ? 10 : 50) {
      took.append(try milliseconds(ours))
      if let other { beside.append(try milliseconds(other)) }
    }
    await daemon.stop()
    let name = "statecast get, start to exit"
    var cases = [
      BenchCase(name: name, value: median(took), unit: "ms", bound: .atMost(15))
    ]
    if other != nil {
      cases.append(
        BenchCase(
          name: "\(name), to redis-cli's", value: median(took), unit: "ms",
          beside: ("redis-cli get", median(beside)), ratio: median(zip(took, beside).map(/)),
          bound: .atMost(3)))
    }
    return cases
  }

  private func milliseconds(_ command: [String]) throws -> Double {
    let took = floor_run(command.joined(separator: "\n"))
    guard took >= 0 else { throw BenchFailure("\(command.joined(separator: " ")) failed") }
    return Double(took) / 1e6
  }
}
