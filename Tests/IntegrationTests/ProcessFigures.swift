import Foundation
import Testing

/// What the kernel tells of a process: bounds are judged from outside.
struct ProcessFigures {
  var pid: Int32

  var openDescriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count }
  }

  /// Those of them that are sockets: connections, and what they are taken from.
  var openSockets: Int {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count {
        // One that was closed meanwhile leads nowhere.
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(pid)/fd/\($0)")
        return target?.hasPrefix("socket:") == true
      }
    }
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
