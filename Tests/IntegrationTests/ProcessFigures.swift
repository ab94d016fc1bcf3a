import Foundation
import Testing

/// What the kernel tells of a process: bounds are judged from outside.
struct ProcessFigures {
  var pid: Int32

  var openDescriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count }
  }

  /// Descriptors that it may have.
  var limit: Int {
    get throws { try number(after: "Max open files", in: "limits") }
  }

  /// Bytes that were resident at most.
  var mostResident: Int {
    get throws { try number(after: "VmHWM:", in: "status") << 10 }
  }

  private func number(after name: String, in file: String) throws -> Int {
    let lines = try String(contentsOfFile: "/proc/\(pid)/\(file)", encoding: .utf8)
      .split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix(name) })
    let word = line.dropFirst(name.count).split(whereSeparator: \.isWhitespace).first
    return try #require(word.flatMap { Int($0) })
  }
}
