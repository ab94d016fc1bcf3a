/// What an action costs by itself: processor time, allocations and instructions at either end,
/// without sockets.
struct CostCases {
  let options: BenchOptions

  /// Actions in a request.
  private static let batch = 64

  func run() throws -> [BenchCase] {
    var cases: [BenchCase] = []
    for durable in [false, true] {
      let mode = durable ? ", durable" : ""
      var hot = Hot(durable: durable)
      let cost = try hot.run(batch: Self.batch, seconds: options.seconds)
      cases += [
        BenchCase(
          name: "decode, reduce, delta, encode; \(Self.batch) a request\(mode)",
          value: cost.daemon.time, unit: "ns/action", bound: durable ? .none : .atMost(1000)),
        BenchCase(
          name: "allocations at the daemon\(mode)", value: cost.daemon.allocations,
          unit: "/action", bound: .none),
      ]
      if durable { continue }
      cases += [
        BenchCase(
          name: "the client's machine, \(Self.batch) a request", value: cost.client.time,
          unit: "ns/action", bound: .none),
        BenchCase(
          name: "allocations at the client", value: cost.client.allocations, unit: "/action",
          bound: .none),
      ]
    }
    cases.append(
      BenchCase(
        name: "apply and digest", value: try Apply.perSecond(seconds: options.seconds),
        unit: "deltas/s", bound: .atLeast(1_000_000)))
    for batch in [Self.batch, 1] {
      guard let count = try Instructions.perAction(batch: batch) else { continue }
      cases.append(
        BenchCase(
          name: "instructions at both ends, \(batch) a request", value: count, unit: "/action",
          bound: .none))
    }
    return cases
  }
}
