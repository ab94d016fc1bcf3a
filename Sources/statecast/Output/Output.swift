import Glibc

/// Standard output has nothing but data; words for people go to standard error.
struct Output {
  /// Whether standard output is a terminal.
  let isTerminal: Bool

  init() { isTerminal = isatty(STDOUT_FILENO) == 1 }

  /// A line of data, written at once: whoever reads a pipe sees it now.
  func line(_ text: String) throws(ToolFailure) { try write(text + "\n", to: STDOUT_FILENO) }

  /// A word for a person.
  func note(_ text: String) { try? write(text + "\n", to: STDERR_FILENO) }

  /// `Error: …` then `Try: …`.
  func failure(_ failure: ToolFailure) {
    note("Error: \(failure.message)")
    if !failure.advice.isEmpty { note("Try: \(failure.advice)") }
  }

  private func write(_ text: String, to descriptor: Int32) throws(ToolFailure) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        // The reader has gone (`head`): nothing is left to say, and that is no fault.
        throw ToolFailure(.success, "", advice: "")
      }
    }
  }
}
