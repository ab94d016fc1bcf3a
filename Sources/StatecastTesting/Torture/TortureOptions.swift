/// How long a torture lasts, and what it does beside killing the daemon.
package struct TortureOptions: Sendable {
  /// How often the daemon is killed.
  package var rounds: Int
  /// What happens when comes from it; how far the processes are then does not.
  package var seed: UInt64
  /// Whether a process is stopped for a whole minute in five of the rounds.
  package var hasMinutes = false
  /// The journal is on a filesystem of so many bytes, which fills and is freed in every round.
  /// Mounting it needs root.
  package var diskBytes: Int?

  /// The journal keeps 64 MiB in reserve: on a smaller disk it would refuse everything, for ever.
  package static let leastDiskBytes = 128 << 20

  /// How the daemon is started. Its journal has to fit on the least disk beside the reserve and the
  /// log, of 64 and 32 MiB, however many rounds there are: it keeps some thousand rows.
  package var daemonArguments: [String] {
    diskBytes == nil ? [] : ["--journal-kept-rows", "2048", "--limits-snapshot-rows", "1024"]
  }

  package init(
    rounds: Int, seed: UInt64 = .random(in: 0 ... .max), hasMinutes: Bool = false,
    diskBytes: Int? = nil
  ) {
    self.rounds = rounds
    self.seed = seed
    self.hasMinutes = hasMinutes
    self.diskBytes = diskBytes
  }

  /// Reads `--rounds N [--seed N] [--minutes] [--disk BYTES]`; nil when it is something else.
  package init?(arguments: [String]) {
    self.init(rounds: 0)
    var left = arguments[...]
    while let name = left.popFirst() {
      if name == "--minutes" {
        hasMinutes = true
        continue
      }
      guard let text = left.popFirst() else { return nil }
      switch (name, UInt64(text), Int(text)) {
      case ("--rounds", _, let number?): rounds = number
      case ("--seed", let number?, _): seed = number
      case ("--disk", _, let number?) where number >= Self.leastDiskBytes: diskBytes = number
      default: return nil
      }
    }
    guard rounds > 0 else { return nil }
  }
}
