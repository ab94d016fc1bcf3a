/// The daemon's own memory, with nobody attached and with a hundred mirrors that were under load.
struct MemoryCase {
  let options: BenchOptions

  func run() throws -> [BenchCase] {
    let folder = try BenchFolder()
    let server = try Contender.ours.serve(in: folder, durable: true)
    defer { server.stop() }
    let idle = try ProcessMemory.own(server.children[0].pid)
    let driver = try Child(["load-drive", folder.path, "100"])
    try driver.words(after: "joined")
    try driver.tell("arrive 2000 \(options.isQuick ? 1000 : 4000)")
    try driver.words(after: "quantiles")
    try driver.tell("stop")
    try driver.words(after: "sent")
    let attached = try ProcessMemory.own(server.children[0].pid)
    return [
      BenchCase(name: "daemon's memory, idle", value: idle, unit: "MB", bound: .atMost(8)),
      BenchCase(
        name: "daemon's memory, 100 mirrors", value: attached, unit: "MB", bound: .atMost(16)),
    ]
  }
}
