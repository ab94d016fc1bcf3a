import CEdit
import Glibc
import Synchronization

/// A prompt with history and completion (libedit), above which lines from elsewhere are printed
/// while a person types.
///
/// The one file with libedit in it. Reading polls the terminal and an eventfd: whoever has
/// something to print rings, and the thread that reads prints it above the prompt. One at a time a
/// process, since libedit's callbacks carry nothing of ours.
final class LineEditor: @unchecked Sendable {
  // `line` and `past` belong to the thread that reads; the rest is in the mutex.
  private let line: OpaquePointer
  private let past: OpaquePointer
  private let bell: Int32

  private struct Shared {
    var pending: [String] = []
    var isOver = false
    var completions: (String) -> [String] = { _ in [] }
  }

  private nonisolated(unsafe) static var current: LineEditor?
  private let shared = Mutex(SharedBox())
  private final class SharedBox: @unchecked Sendable {
    // Only touched under the mutex.
    var value = Shared()
  }

  private nonisolated(unsafe) static let promptText: UnsafeMutablePointer<CChar>? = strdup("> ")

  /// Nil where there is no terminal.
  init?() {
    // libedit itself reads anything, and would take what is piped in for a person's typing.
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard bell >= 0, let line = statecast_el_open("statecast"), let past = history_init() else {
      return nil
    }
    self.line = line
    self.past = past
    Self.current = self
    statecast_el_defaults(line)
    statecast_history_size(past, 1000)
    statecast_el_history(line, past)
    statecast_el_prompt(line) { _ in LineEditor.promptText }
    statecast_el_read(line) { line, character in
      LineEditor.current?.read(line, character) ?? 0
    }
    statecast_el_complete(line) { line, _ in
      LineEditor.current?.complete(line) ?? UInt8(CC_ERROR)
    }
  }

  /// Gives the terminal back, and prints what came after the last line was read. The thread that
  /// reads has ended.
  func close() {
    el_end(line)
    for text in shared.withLock({ $0.value.pending }) { statecast_print(text) }
    history_end(past)
    Self.current = nil
    Glibc.close(bell)
  }

  /// What can stand where the cursor is, given the line before it.
  func completeWith(_ completions: @escaping @Sendable (String) -> [String]) {
    shared.withLock { $0.value.completions = completions }
  }

  /// Prints a line above the prompt, from any thread.
  func print(_ text: String) {
    shared.withLock { $0.value.pending.append(TerminalText.safe(text, keepsLines: false)) }
    ring()
  }

  /// Lets `next` return nil.
  func end() {
    shared.withLock { $0.value.isOver = true }
    ring()
  }

  private func ring() {
    var one: UInt64 = 1
    _ = write(bell, &one, 8)
  }

  /// The next line; nil at the end of the input.
  func next() -> String? {
    var count: Int32 = 0
    guard let text = el_gets(line, &count), count > 0 else { return nil }
    var entered = String(cString: text)
    while entered.last == "\n" { entered.removeLast() }
    if !entered.isEmpty { statecast_history_enter(past, entered) }
    return entered
  }

  /// libedit asks for a character: wait for the terminal or the bell.
  private func read(
    _ line: OpaquePointer?, _ character: UnsafeMutablePointer<wchar_t>?
  ) -> Int32 {
    while true {
      var polls = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polls, 2, -1) >= 0 || errno == EINTR else { return -1 }
      if polls[1].revents != 0, !printPending() { return 0 }
      if polls[0].revents != 0 {
        let count = readCharacter(character)
        return count == 1 && isEndTypedAhead(character, line) ? 0 : count
      }
    }
  }

  /// Whether this is a Ctrl-D from before the editor had the terminal: the kernel keeps the end of a
  /// file as a zero byte when it stops collecting lines. Within a line it is nobody's wish to leave.
  private func isEndTypedAhead(
    _ character: UnsafeMutablePointer<wchar_t>?, _ line: OpaquePointer?
  ) -> Bool {
    guard character?.pointee == 0, let line, let info = el_line(line) else { return false }
    return info.pointee.lastchar == info.pointee.buffer
  }

  /// Prints what waits; false once the editor is to end.
  private func printPending() -> Bool {
    var count: UInt64 = 0
    _ = Glibc.read(bell, &count, 8)
    let (pending, isOver) = shared.withLock { box in
      defer { box.value.pending = [] }
      return (box.value.pending, box.value.isOver)
    }
    if !pending.isEmpty {
      statecast_el_erase()
      for text in pending { statecast_print(text) }
      statecast_el_refresh(line)
    }
    return !isOver
  }

  /// One character of UTF-8.
  private func readCharacter(_ character: UnsafeMutablePointer<wchar_t>?) -> Int32 {
    var decoder = UTF8()
    var bytes: [UInt8] = []
    while bytes.count < 4 {
      var byte: UInt8 = 0
      let count = Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return 0 }
      bytes.append(byte)
      var iterator = bytes.makeIterator()
      decoder = UTF8()
      if case .scalarValue(let scalar) = decoder.decode(&iterator) {
        character?.pointee = wchar_t(scalar.value)
        return 1
      }
    }
    character?.pointee = wchar_t(0xFFFD)
    return 1
  }

  /// Puts in what all candidates share, and lists them when that is nothing more.
  private func complete(_ line: OpaquePointer?) -> UInt8 {
    guard let line, let info = el_line(line) else { return UInt8(CC_ERROR) }
    let before = info.pointee.cursor - info.pointee.buffer
    let typed = String(
      decoding: UnsafeBufferPointer(start: info.pointee.buffer, count: before).map {
        UInt8(bitPattern: $0)
      }, as: UTF8.self)
    let completions = shared.withLock { $0.value.completions }
    let candidates = completions(typed).filter { $0.hasPrefix(typed) }
    guard let first = candidates.first else { return UInt8(CC_ERROR) }
    let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    let more = String(common.dropFirst(typed.count)) + (candidates.count == 1 ? " " : "")
    if more.isEmpty {
      statecast_el_erase()
      statecast_print(candidates.joined(separator: "  "))
      return UInt8(CC_REDISPLAY)
    }
    return el_insertstr(line, more) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
