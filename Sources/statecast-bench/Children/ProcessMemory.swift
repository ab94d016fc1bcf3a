import Foundation

/// What a process holds that is its own: anonymous and shared memory, file pages apart.
///
/// File pages (the program, the libraries, the mapped journal) are the kernel's to drop, and shared
/// with whoever maps the same file.
enum ProcessMemory {
  /// Megabytes.
  static func own(_ pid: Int32) throws -> Double {
    let path = "/proc/\(pid)/smaps_rollup"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let kilobytes = kilobytes(inRollup: text)
    else { throw BenchFailure("\(path) tells no memory") }
    return kilobytes * 1024 / 1e6
  }

  /// The sum of `Anonymous` and `Pss_Shmem`; nil if one is missing.
  static func kilobytes(inRollup text: String) -> Double? {
    var found: [Double] = []
    for line in text.split(separator: "\n")
    where line.hasPrefix("Anonymous:") || line.hasPrefix("Pss_Shmem:") {
      guard let number = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
      else { return nil }
      found.append(number)
    }
    return found.count == 2 ? found.reduce(0, +) : nil
  }
}
