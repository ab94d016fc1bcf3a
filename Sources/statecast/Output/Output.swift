import CStandardStreams
import Foundation

/// Standard output has nothing but data; words for people go to standard error.
struct Output {
  /// Whether standard output is a terminal.
  let isTerminal: Bool
  private let descriptor: Int32

  init(descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// A line of data, written at once: whoever reads a pipe sees it now.
  func line(_ text: String) throws(ToolFailure) {
    let shown = isTerminal ? TerminalText.safe(text, keepsLines: true) : text
    try write(shown + "\n", to: descriptor)
  }

  /// A word for a person.
  func note(_ text: String) {
    try? write(TerminalText.safe(text, keepsLines: true) + "\n", to: STDERR_FILENO)
  }

  /// `Error: …` then `Try: …`.
  func failure(_ failure: ToolFailure) {
    note("Error: \(failure.message)")
    if !failure.advice.isEmpty { note("Try: \(failure.advice)") }
  }

  /// Calls, from a thread of its own, when standard output is a pipe that nobody reads any more.
  func whenReaderLeaves(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [descriptor] in
      // Without events only an error ends it, and that is a pipe without a reader.
      var pipe = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&pipe, 1, -1) < 0, errno == EINTR {}
      if pipe.revents & Int16(POLLERR) != 0 { body() }
    }
  }

  private func write(_ text: String, to descriptor: Int32) throws(ToolFailure) {
    guard cstandardstreams_was_closed(descriptor) == 0 else {
      throw Self.unwritable("it is closed")
    }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EPIPE {
        // The reader has gone (`head`): nothing is left to say, and that is no fault.
        throw ToolFailure(.success, "", advice: "")
      } else if errno != EINTR {
        throw Self.unwritable(String(cString: strerror(errno)))
      }
    }
  }

  private static func unwritable(_ reason: String) -> ToolFailure {
    ToolFailure(
      .failure, "the output cannot be written: \(reason)",
      advice: "Is there room where it goes? What was asked of the daemon is done.")
  }
}
