/// Actions that arrive at a fixed rate, each timed from when it was to be sent: a server that pauses
/// makes those wait that come meanwhile, and they are counted (coordinated omission is avoided).
struct OpenLoop {
  let options: BenchOptions

  func run(_ report: (BenchCase) -> Void) {
    for durable in [false, true] {
      do { for one in try measure(durable: durable) { report(one) } } catch {
        report(.failed("open loop, \(durable ? "durable" : "memory")", "\(error)"))
      }
    }
  }

  private func measure(durable: Bool) throws -> [BenchCase] {
    var ours: [[Double]] = []
    var floor: [[Double]] = []
    for _ in 0..<max(1, options.pairs / 3) {
      floor.append(try quantiles(.floor, durable))
      ours.append(try quantiles(.ours, durable))
    }
    let name = "open loop, \(durable ? "durable" : "memory"), \(options.rate)/s"
    return LatencyHistogram.names.enumerated().map { index, quantile in
      BenchCase(
        name: "\(name), \(quantile)", value: median(ours.map { $0[index] }), unit: "us",
        beside: ("floor", median(floor.map { $0[index] })),
        ratio: median(zip(ours, floor).map { $0[index] / $1[index] }), bound: .none)
    }
  }

  private func quantiles(_ contender: Contender, _ durable: Bool) throws -> [Double] {
    let folder = try BenchFolder()
    let server = try contender.serve(in: folder, durable: durable)
    defer { server.stop() }
    let driver = try Child([
      "open-drive", contender.rawValue, server.address, "1", "\(options.seconds * 5)",
      "\(options.rate)",
    ])
    let numbers = try driver.numbers(after: "quantiles")
    guard numbers.count == LatencyHistogram.names.count else {
      throw BenchFailure("the driver of \(contender) said \(numbers)")
    }
    return numbers
  }
}
