import Foundation

/// A driver that does what it is told, line by line: the load under which something else is measured.
///
/// `run WINDOW` begins, `arrive RATE COUNT` sends and tells the quantiles, `stop` ends what runs,
/// compares the mirrors and tells how many actions there were; then `between FROM TO` tells the
/// quantiles of the actions that were done in that time.
enum LoadDriver {
  static func run(folder: String, mirrors: Int) async throws {
    let drive = try Drive(folder: folder, subscribers: mirrors)
    await drive.join()
    Parent.tell("joined")
    for await words in Parent.commands() {
      let numbers = words.dropFirst().map { Int64($0) ?? 0 }
      switch (words.first, numbers.count) {
      case ("run", 1):
        await drive.begin(window: Int(numbers[0]))
      case ("arrive", 2):
        let interval = 1_000_000_000 / max(1, numbers[0])
        tell(await drive.arriving(every: interval, count: Int(numbers[1])))
      case ("stop", 0):
        await drive.stop()
        guard await drive.mirrorsAreExact() else {
          throw BenchFailure("a mirror is not what the actions made: the figures do not count")
        }
        Parent.tell("sent \(await drive.sent)")
      case ("between", 2):
        let samples = await drive.samples
        tell(samples.filter { numbers[0]...numbers[1] ~= $0.at }.map(\.took))
      default: throw BenchFailure("the load's driver was told \(words)")
      }
    }
  }

  private static func tell(_ latencies: [Int64]) {
    let quantiles = LatencyHistogram(latencies).microseconds.map { "\($0)" }
    Parent.tell("quantiles " + quantiles.joined(separator: " "))
  }
}
