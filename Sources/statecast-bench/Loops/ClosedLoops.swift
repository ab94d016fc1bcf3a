/// Closed loops: pairs of the floor and ours, in turn, each with fresh processes, and the medians of
/// the pairs' ratios. Machines are noisy: only what ran side by side is compared.
struct ClosedLoops {
  let options: BenchOptions

  /// libzmq has fast and slow placements of its threads: a pair whose floor is slower than this
  /// part of the best one is measured again.
  static let slowFloor = 0.7

  /// A closed loop with so many mirrors, and what has to hold for each window, beside whom.
  private struct Loop {
    var durable: Bool
    var mirrors: Int
    var contenders: [Contender] = [.floor, .ours]
    var windows: [Int]
    var bounds: [Bound]
  }

  private struct Bound {
    var window: Int
    var who = Contender.ours
    var beside: Contender
    var bound: BenchCase.Bound
  }

  private static let loops = [
    Loop(
      durable: false, mirrors: 1, contenders: [.floor, .ours, .dealer, .redis, .nats],
      windows: [1, 64, 512],
      bounds: [
        Bound(window: 1, beside: .floor, bound: .atMost(1.25)),
        Bound(window: 64, beside: .floor, bound: .atLeast(1)),
        Bound(window: 512, beside: .floor, bound: .atLeast(1)),
        Bound(window: 64, who: .dealer, beside: .floor, bound: .atLeast(0.6)),
        Bound(window: 1, beside: .redis, bound: .none),
        Bound(window: 64, beside: .redis, bound: .atLeast(2)),
        Bound(window: 512, beside: .redis, bound: .none),
        Bound(window: 1, beside: .nats, bound: .none),
        Bound(window: 64, beside: .nats, bound: .none),
        Bound(window: 512, beside: .nats, bound: .none),
      ]),
    Loop(
      durable: false, mirrors: 10, windows: [1, 64],
      bounds: [
        Bound(window: 1, beside: .floor, bound: .atMost(1.15)),
        Bound(window: 64, beside: .floor, bound: .atLeast(1.5)),
      ]),
    Loop(
      durable: false, mirrors: 100, windows: [64],
      bounds: [Bound(window: 64, beside: .floor, bound: .atLeast(3))]),
    Loop(
      durable: true, mirrors: 1, contenders: [.floor, .ours, .redis], windows: [1, 64, 512],
      bounds: [
        Bound(window: 1, beside: .floor, bound: .atMost(1.2)),
        Bound(window: 64, beside: .floor, bound: .atLeast(1)),
        Bound(window: 512, beside: .floor, bound: .none),
        Bound(window: 1, beside: .redis, bound: .none),
        Bound(window: 64, beside: .redis, bound: .atLeast(1)),
        Bound(window: 512, beside: .redis, bound: .atLeast(3)),
      ]),
    Loop(
      durable: true, mirrors: 10, windows: [1, 64],
      bounds: [
        Bound(window: 1, beside: .floor, bound: .atMost(1.5)),
        Bound(window: 64, beside: .floor, bound: .atLeast(0.5)),
      ]),
  ]

  typealias Round = [Contender: Figures]

  func run(_ report: (BenchCase) -> Void) {
    for loop in Self.loops {
      for one in measure(loop) { report(one) }
    }
  }

  /// A run that failed fails the cases of whoever ran, not those of the others.
  private func measure(_ loop: Loop) -> [BenchCase] {
    let contenders = loop.contenders.filter { options.allows($0) }
    var failures: [Contender: String] = [:]
    var rounds = (0..<options.pairs).map { _ in round(loop, contenders, &failures) }
    var repeats = options.pairs
    while repeats > 0, let slow = Self.slowest(rounds, window: loop.windows.last ?? 1) {
      repeats -= 1
      rounds[slow] = round(loop, contenders, &failures)
    }
    return loop.bounds.compactMap { bound in
      guard contenders.contains(bound.who), contenders.contains(bound.beside) else { return nil }
      let name = Self.name(loop, bound)
      if let failure = failures[bound.who] ?? failures[bound.beside] {
        return .failed(name, failure)
      }
      func figure(_ who: Contender) -> Double {
        median(rounds.compactMap { $0[who]?[bound.window] })
      }
      let ratios = rounds.compactMap { round in
        round[bound.who].flatMap { ours in
          round[bound.beside].map { ours[bound.window] / $0[bound.window] }
        }
      }
      return BenchCase(
        name: name, value: figure(bound.who), unit: bound.window == 1 ? "us" : "actions/s",
        beside: (bound.beside.rawValue, figure(bound.beside)), ratio: median(ratios),
        bound: bound.bound)
    }
  }

  private static func name(_ loop: Loop, _ bound: Bound) -> String {
    let mirrors = "\(loop.mirrors) mirror\(loop.mirrors == 1 ? "" : "s")"
    let what = bound.window == 1 ? "one at a time, p50" : "window \(bound.window)"
    let how = bound.who == .dealer ? ", one action a request" : ""
    let beside = bound.beside == .floor ? "" : ", to \(bound.beside)"
    return "\(loop.durable ? "durable" : "memory"), \(mirrors), \(what)\(how)\(beside)"
  }

  /// The round with a floor that is too slow, if there is one.
  static func slowest(_ rounds: [Round], window: Int) -> Int? {
    // Of one at a time the least is the best.
    let speeds = rounds.map { round in
      round[.floor].map { window == 1 ? 1 / $0[1] : $0[window] } ?? .infinity
    }
    guard let best = speeds.max(), let slow = speeds.indices.min(by: { speeds[$0] < speeds[$1] })
    else { return nil }
    return speeds[slow] < slowFloor * best ? slow : nil
  }

  private func round(
    _ loop: Loop, _ contenders: [Contender], _ failures: inout [Contender: String]
  ) -> Round {
    var round: Round = [:]
    for contender in contenders where failures[contender] == nil {
      do {
        let windows = contender == .dealer ? [64] : loop.windows
        round[contender] = try measure(contender, loop, windows)
      } catch {
        failures[contender] = "\(error)"
      }
    }
    return round
  }

  /// A server and a driver, both new, in a folder of their own.
  private func measure(_ contender: Contender, _ loop: Loop, _ windows: [Int]) throws -> Figures {
    let folder = try BenchFolder()
    let server = try contender.serve(in: folder, durable: loop.durable)
    defer { server.stop() }
    let driver = try Child([
      "closed-drive", contender.rawValue, server.address, "\(loop.mirrors)",
      "\(options.seconds)", windows.map { "\($0)" }.joined(separator: ","),
    ])
    let line = try driver.words(after: "figures").joined(separator: " ")
    guard let figures = Figures(line: line) else {
      throw BenchFailure("the driver of \(contender) said: \(line)")
    }
    return figures
  }
}
