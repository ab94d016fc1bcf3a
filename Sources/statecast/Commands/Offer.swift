import Foundation
import JSONText
import Processes
import StateModel
import StatecastClient
import SyncProtocol
import Synchronization

extension Command {
  static let offer = Command(
    name: "offer", usage: "NAME",
    summary: "offer a handle that others call, and print (or --exec) each call"
  ) { session in
    try session.expectAtMost(1)
    let name = try session.word(0, "the name of the handle")
    let command = session.arguments.options["exec"]
    let limit = try session.count()
    try await session.connected(isPresent: true) { (connection) throws(ToolFailure) in
      let (calls, continuation) = AsyncStream<String>.makeStream()
      let desk = OfferDesk(command: command, told: continuation)
      do throws(ConnectionFailure) {
        _ = try await connection.offer(name) { bytes in await desk.perform(bytes) }
      } catch {
        throw ToolFailure(error)
      }
      session.output.note("-- \(name) is offered")
      session.output.whenReaderLeaves { continuation.finish() }
      var left = limit
      for await line in calls {
        try session.output.line(line)
        left -= 1
        if left == 0 { break }
      }
      // Asked behind what was given back: that has arrived before this connection says goodbye.
      _ = try await connection.asked(.stats)
    }
  }
}

/// Does the calls of an offered handle.
private final class OfferDesk: Sendable {
  private let command: String?
  private let told: AsyncStream<String>.Continuation

  init(command: String?, told: AsyncStream<String>.Continuation) {
    self.command = command
    self.told = told
  }

  func perform(_ argument: [UInt8]) async -> CallEnd {
    guard let value = try? Value(encoded: argument) else {
      return CallEnd(code: .invalid, text: "the argument is not understood")
    }
    let text = JSONText.display(value)
    guard let command else {
      told.yield(text)
      return CallEnd(code: .ok)
    }
    let end = await Self.run(command, text)
    told.yield("\(text) \(end.code == .ok ? "done" : end.text)")
    return end
  }

  /// Runs the command on a thread of its own, which may block.
  private static func run(_ command: String, _ argument: String) async -> CallEnd {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: runNow(command, argument)) }.start()
    }
  }

  private static func runNow(_ command: String, _ argument: String) -> CallEnd {
    let input = Pipe()
    let output = Pipe()
    do {
      let program = try StartedProgram(
        ProgramPlan("/bin/sh", ["-c", command]).with {
          $0.input = input.fileHandleForReading.fileDescriptor
          $0.output = output.fileHandleForWriting.fileDescriptor
          $0.error = STDERR_FILENO
        })
      try? input.fileHandleForReading.close()
      try? output.fileHandleForWriting.close()
      // A command that does not read its input is none the worse.
      try? input.fileHandleForWriting.write(contentsOf: Data((argument + "\n").utf8))
      try? input.fileHandleForWriting.close()
      let printed = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self
      ).trimmingCharacters(in: .whitespacesAndNewlines)
      let status = program.waitBlocking().status
      guard status == 0 else {
        return CallEnd(code: .rejected, text: "\(command) ended with status \(status)")
      }
      if printed.isEmpty { return CallEnd(code: .ok) }
      let value = (try? ActionText.json(printed)) ?? .text(printed)
      return CallEnd(code: .ok, result: value.encoded())
    } catch {
      return CallEnd(code: .rejected, text: "\(command) cannot be run: \(error)")
    }
  }
}
