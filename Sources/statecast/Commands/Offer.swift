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
    summary: "offer a handle that others call, and print (or --exec) each call",
    details: """
      A command gets the argument on its standard input, as JSON, and what it prints is the result:
      JSON or a text, in UTF-8. It has a process group of its own, which is ended (SIGTERM, then
      SIGKILL) when nobody waits for the call any more, at its deadline, and with this tool (unless that is
      killed by SIGKILL). The call ends with the command, and what that leaves behind with the output with it.
      """
  ) { session in
    try session.expectAtMost(1)
    let name = try session.word(0, "the name of the handle")
    let command = session.arguments.options["exec"]
    let limit = try session.count()
    try await session.connected(isPresent: true) { (connection) throws(ToolFailure) in
      let (calls, continuation) = AsyncStream<String>.makeStream()
      let desk = OfferDesk(command: command, told: continuation)
      // What was started ends with this, however this ends.
      defer { desk.close() }
      LastMoment.prepare { desk.close() }
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
  /// The commands under way; nil once none is begun any more.
  private let runs = Mutex<[ObjectIdentifier: OfferedCommand]?>([:])

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
    let run = OfferedCommand(command)
    let isOpen = runs.withLock { runs in
      runs?[ObjectIdentifier(run)] = run
      return runs != nil
    }
    guard isOpen else { return CallEnd(code: .gone, text: "it is offered no more") }
    let end = await run.run(text)
    runs.withLock { _ = $0?.removeValue(forKey: ObjectIdentifier(run)) }
    told.yield("\(text) \(end.code == .ok ? "done" : end.text)")
    return end
  }

  /// Ends what is under way, and begins nothing any more.
  func close() {
    let running = runs.withLock { runs in
      defer { runs = nil }
      return runs.map { Array($0.values) } ?? []
    }
    let threads = running.map { run in
      let ended = Awaited<Void>()
      Thread.detachNewThread {
        run.end()
        ended.give(())
      }
      return ended
    }
    for ended in threads { ended.take() }
  }
}
