/// A client joins a view of 10 MB, beside libzmq sending the same bytes and their decoding.
struct JoinCase {
  let options: BenchOptions

  func run() throws -> [BenchCase] {
    let megabytes = 10.0
    var ours: [Double] = []
    var floor: [Double] = []
    for _ in 0..<max(2, options.pairs / 2) {
      floor.append(try raw(megabytes))
      ours.append(try joined(megabytes))
    }
    return [
      BenchCase(
        name: "join of a view of 10 MB", value: median(ours), unit: "ms",
        beside: ("libzmq and decoding", median(floor)), ratio: median(zip(ours, floor).map(/)),
        bound: .atMost(1.5))
    ]
  }

  private func joined(_ megabytes: Double) throws -> Double {
    let folder = try BenchFolder()
    let server = try Child(["load-serve", folder.path, "memory", "\(megabytes)"])
    defer { server.end() }
    try server.words(after: "serving")
    let viewer = try Child(["view-drive", folder.path, "1", "whole", "\(megabytes)"])
    let times = try viewer.numbers(after: "joined")
    try viewer.tell("expect 0")
    guard try viewer.numbers(after: "inexact") == [0], times.count == 2 else {
      throw BenchFailure("the mirror is not the daemon's state")
    }
    return (times[1] - times[0]) / 1e6
  }

  private func raw(_ megabytes: Double) throws -> Double {
    let folder = try BenchFolder()
    let server = try Child(["bytes-serve", folder.path, "\(megabytes)"])
    defer { server.end() }
    try server.words(after: "serving")
    guard let took = try Child(["bytes-drive", folder.path]).numbers(after: "took").first else {
      throw BenchFailure("the floor's client told no time")
    }
    return took / 1e6
  }
}
