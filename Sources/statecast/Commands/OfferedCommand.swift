import Foundation
import Glibc
import Processes
import StateModel
import StatecastClient
import SyncProtocol
import Synchronization

/// One run of the shell command that does an offered handle's calls, from its start to the end of all
/// that it has started.
///
/// The command has a process group of its own. Whoever called may not wait any more, or this tool may
/// be told to end: then the group is, too, first in peace (SIGTERM) and then by force.
final class OfferedCommand: Sendable {
  private let command: String
  private let state = Mutex(State())
  private let isOver = Awaited<Void>()

  private struct State {
    var program: StartedProgram?
    /// Nobody waits for it any more.
    var isUnwanted = false
  }

  /// How long a command may take to end in peace.
  private static let grace = Duration.seconds(2)
  /// The longest output that is read: many times what a daemon takes as a result.
  private static let longestOutput = 64 << 20
  private static let piece = 1 << 16

  init(_ command: String) { self.command = command }

  /// Runs it on a thread of its own, which may block; a task that is cancelled ends it.
  func run(_ argument: String) async -> CallEnd {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let end = self.runNow(argument)
          self.isOver.give(())
          continuation.resume(returning: end)
        }
      }
    } onCancel: {
      // Not here: whoever cancels is not to wait.
      Thread.detachNewThread { self.end() }
    }
  }

  /// Ends it, and waits until it has ended.
  func end() {
    let program = state.withLock { state in
      state.isUnwanted = true
      return state.program
    }
    program?.signalGroup(SIGTERM)
    if isOver.take(within: Self.grace) != nil { return }
    state.withLock(\.program)?.signalGroup(SIGKILL)
    // One that has left the group, and has its output still, is not waited for.
    _ = isOver.take(within: Self.grace)
  }

  private func runNow(_ argument: String) -> CallEnd {
    let input = Pipe()
    let output = Pipe()
    let program: StartedProgram
    do {
      program = try start(input, output)
    } catch {
      return CallEnd(code: .rejected, text: "\(command) cannot be run: \(error)")
    }
    defer { program.forgetGroup() }
    try? input.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
    // Beside the reading: a command may print before it has read all.
    Thread.detachNewThread {
      // A command that does not read its input is none the worse.
      try? input.fileHandleForWriting.write(contentsOf: Data((argument + "\n").utf8))
      try? input.fileHandleForWriting.close()
    }
    let printed = read(output.fileHandleForReading, of: program)
    if printed == nil { program.signalGroup(SIGKILL) }
    let status = program.waitBlocking().status
    if state.withLock(\.isUnwanted) {
      return CallEnd(code: .cancelled, text: "\(command) was ended: nobody waits for it any more")
    }
    guard let printed else {
      return CallEnd(
        code: .rejected, text: "\(command) printed more than \(Self.longestOutput) bytes")
    }
    guard status == 0 else {
      return CallEnd(code: .rejected, text: "\(command) ended with status \(status)")
    }
    return result(printed)
  }

  private func start(_ input: Pipe, _ output: Pipe) throws(ProgramFailure) -> StartedProgram {
    let plan = ProgramPlan("/bin/sh", ["-c", command]).with {
      $0.input = input.fileHandleForReading.fileDescriptor
      $0.output = output.fileHandleForWriting.fileDescriptor
      $0.error = STDERR_FILENO
      // Also where this tool is killed.
      $0.endsWithParent = true
      $0.hasOwnSession = true
      $0.keepsGroup = true
    }
    let program = try StartedProgram(plan)
    let isUnwanted = state.withLock { state in
      state.program = program
      return state.isUnwanted
    }
    if isUnwanted { program.signalGroup(SIGTERM) }
    return program
  }

  /// All that it prints until it has ended; nil if that is too much. What it leaves behind may hold its
  /// output for ever: a call would end at its deadline, with an outcome that nobody knows.
  private func read(_ output: FileHandle, of program: StartedProgram) -> Data? {
    let end = Pipe()
    program.whenEnded { _ in try? end.fileHandleForWriting.close() }
    var printed = Data()
    var piece = [UInt8](repeating: 0, count: Self.piece)
    var waited = [
      pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: end.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      if poll(&waited, nfds_t(waited.count), -1) < 0, errno == EINTR { continue }
      // What it printed before its end is there by then. What holds the output still is ended: it would
      // live on behind a call that is done.
      if waited[0].revents == 0 {
        program.signalGroup(SIGTERM)
        return printed
      }
      // Not by its handle, which waits until a piece is full.
      let count = Glibc.read(output.fileDescriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return printed }
      printed += piece.prefix(count)
      if printed.count > Self.longestOutput { return nil }
    }
  }

  /// What it printed as a value: JSON, else the text that it is.
  private func result(_ printed: Data) -> CallEnd {
    guard let whole = String(validating: printed, as: UTF8.self) else {
      let place = zip(printed, String(decoding: printed, as: UTF8.self).utf8).prefix { $0 == $1 }
      let offset = place.count
      return CallEnd(
        code: .rejected,
        text: "\(command) printed what is not UTF-8 (byte \(offset)): "
          + "a result is JSON or a text, so let it print base64 or the like")
    }
    let text = whole.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.isEmpty { return CallEnd(code: .ok) }
    let value = (try? ActionText.json(text)) ?? .text(text)
    return CallEnd(code: .ok, result: value.encoded())
  }
}
