import CEdit
import Glibc
import Processes
import Synchronization

/// A prompt with history and completion (libedit), above which lines from elsewhere are printed
/// while a person types.
///
/// The one file with libedit in it. Reading polls the terminal, an eventfd and the terminal's signals:
/// whoever has something to print rings, and the thread that reads prints it above the prompt. One at
/// a time a process, since libedit's callbacks carry nothing of ours.
final class LineEditor: @unchecked Sendable {
  // `line`, `past` and `ahead` belong to the thread that reads; the rest is in the mutex, or never
  // changes.
  private let line: OpaquePointer
  private let past: OpaquePointer
  /// How many bytes that were typed before the editor had the terminal are still to be read; nil where
  /// that has to be found out.
  private var ahead: Int32?
  private let bell: Int32
  private let signals: TerminalSignals
  /// As the terminal was found.
  private let settings: termios
  /// Whether the thread that reads has given the terminal back for good.
  private let hasStopped = Awaited<Void>()

  /// How long the thread that reads may take for that, when the process is to end: it may be held up
  /// by a terminal that takes no output.
  private static let stoppingTime = Duration.seconds(1)

  private struct Shared {
    var pending: [String] = []
    var isOver = false
    /// Whether nothing is printed any more.
    var isSilent = false
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
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    self.settings = settings
    bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard bell >= 0, let line = statecast_el_open("statecast"), let past = history_init(),
      let signals = TerminalSignals()
    else { return nil }
    self.line = line
    self.past = past
    self.signals = signals
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
    signals.close()
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

  /// Gives the terminal back as it was found, and prints nothing any more: the process is about to be
  /// ended, from another thread than the one that reads.
  func stop() {
    shared.withLock { box in
      box.value.isOver = true
      box.value.isSilent = true
      box.value.pending = []
    }
    ring()
    _ = hasStopped.take(within: Self.stoppingTime)
    var settings = settings
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Prints a line above the prompt, from any thread.
  func print(_ text: String) {
    let text = TerminalText.safe(text, keepsLines: false)
    shared.withLock { box in
      if !box.value.isSilent { box.value.pending.append(text) }
    }
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
    // Between two lines libedit gives the terminal back.
    ahead = nil
    _ = takeTerminal()
    let isOver = shared.withLock { $0.value.isOver }
    // What was typed when it was to end is no line that a person has entered.
    guard !isOver, let text = el_gets(line, &count), count > 0,
      !shared.withLock({ $0.value.isOver })
    else {
      // What comes next is not to stand behind the prompt.
      if shared.withLock({ $0.value.isSilent }) { statecast_print("") }
      hasStopped.give(())
      return nil
    }
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
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      if ahead == nil {
        var count: Int32 = 0
        ahead = ioctl(STDIN_FILENO, UInt(FIONREAD), &count) == 0 ? count : 0
      }
      if poll(&polls, 3, -1) < 0 {
        // What poll says of descriptors is nothing then.
        guard errno == EINTR else { return -1 }
        continue
      }
      if polls[2].revents != 0, !heedSignals() { return 0 }
      if polls[1].revents != 0, !printPending() { return 0 }
      if polls[0].revents != 0 {
        let count = readCharacter(character)
        return count == 1 && isEndTypedAhead(character, line) ? 0 : count
      }
    }
  }

  /// Waits until the terminal is this process's; false, and the end, where it will not be again.
  private func takeTerminal() -> Bool {
    if signals.awaitForeground() { return true }
    shared.withLock { $0.value.isOver = true }
    return false
  }

  /// Does what the terminal's signals ask for; false once the editor is to end.
  private func heedSignals() -> Bool {
    while let signal = signals.next() {
      switch signal {
      case .hungUp: shared.withLock { $0.value.isOver = true }
      case .resized: el_resize(line)
      case .stop:
        statecast_el_prepare(line, 0)
        ahead = nil
        signals.stopProcess()
        if takeTerminal() { statecast_el_prepare(line, 1) }
      case .goesOn:
        guard takeTerminal() else { break }
        // libedit takes the terminal only if it believes not to have it; the shell may have had it.
        statecast_el_prepare(line, 0)
        statecast_el_prepare(line, 1)
      }
    }
    guard !shared.withLock({ $0.value.isOver }) else { return false }
    statecast_el_erase()
    statecast_el_refresh(line)
    return true
  }

  /// Whether this is a Ctrl-D from before the editor had the terminal: the kernel keeps the end of a
  /// file as a zero byte when it stops collecting lines. Within a line it is nobody's wish to leave, and
  /// later on it is Ctrl-Space.
  private func isEndTypedAhead(
    _ character: UnsafeMutablePointer<wchar_t>?, _ line: OpaquePointer?
  ) -> Bool {
    guard let ahead, ahead >= 0, character?.pointee == 0, let line, let info = el_line(line) else {
      return false
    }
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
      ahead = ahead.map { $0 - 1 }
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
