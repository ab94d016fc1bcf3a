import Foundation
import Processes

/// A process of the benchmark's own, with a line at a time in and out: this program under another
/// command, or a peer's server. It ends with the benchmark, however that ends.
final class Child {
  private let program: StartedProgram
  private let input = Pipe()
  private let output = Pipe()
  private var pending: [UInt8] = []
  private let what: String

  var pid: Int32 { program.pid }

  /// Starts this program with other arguments.
  convenience init(_ arguments: [String]) throws {
    try self.init(
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path, arguments)
  }

  init(_ program: String, _ arguments: [String]) throws {
    what = arguments.first ?? program
    let (itsInput, itsOutput) = (input.fileHandleForReading, output.fileHandleForWriting)
    self.program = try StartedProgram(
      ProgramPlan(program, arguments).with {
        $0.input = itsInput.fileDescriptor
        $0.output = itsOutput.fileDescriptor
        $0.error = STDERR_FILENO
        $0.endsWithParent = true
      })
    // Its alone: the end of its output is the end of it.
    try itsInput.close()
    try itsOutput.close()
  }

  deinit { end(SIGKILL) }

  /// Its next line; waits for it.
  func line() throws -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeSubrange(...end)
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty {
        throw BenchFailure(
          "\(what) ended with \(program.waitBlocking().status) before it said more")
      }
      pending += more
    }
  }

  /// Its next line, which must begin with that word: the words behind it.
  @discardableResult
  func words(after word: String) throws -> [String] {
    let line = try line()
    let words = line.split(separator: " ").map(String.init)
    guard words.first == word else { throw BenchFailure("\(what) said: \(line)") }
    return Array(words.dropFirst())
  }

  /// The same, as numbers.
  func numbers(after word: String) throws -> [Double] {
    let words = try words(after: word)
    let numbers = words.compactMap { Double($0) }
    guard numbers.count == words.count else { throw BenchFailure("\(what) said: \(words)") }
    return numbers
  }

  /// Gives it a line.
  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  func signal(_ number: Int32) { program.signal(number) }

  /// Ends it, and waits until it is gone.
  func end(_ number: Int32 = SIGTERM) {
    signal(number)
    program.waitBlocking()
  }
}

/// The child's side of it.
enum Parent {
  /// A line at once, also into a pipe.
  static func tell(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// The parent's lines, as words. Read on a thread of its own, since reading waits.
  static func commands() -> AsyncStream<[String]> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        while let line = readLine() {
          continuation.yield(line.split(separator: " ").map(String.init))
        }
        continuation.finish()
      }
    }
  }
}
