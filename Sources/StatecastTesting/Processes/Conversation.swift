internal import Foundation
internal import Synchronization

/// A process that a test talks to, and whose words it waits for: through pipes or in a terminal.
///
/// A test says what it expects next, and goes on when it has come; never by time.
public final class Conversation: Sendable {
  /// Where the process believes to be.
  public enum Place: Sendable {
    /// Its standard output is a pipe.
    case pipe
    /// A terminal of its own: input, output and error.
    case terminal
  }

  /// What was expected did not come.
  public struct Silence: Error, CustomStringConvertible {
    /// What was expected, and all that came.
    public var description: String
  }

  /// The process; in a terminal the one that gave it its session.
  public let process: ChildProcess
  private let heard = Heard()
  /// -1 without a terminal, and once that is hung up.
  private let keyboard: Mutex<Int32>
  /// A pipe whose closing ends the thread that listens.
  private let bell: Mutex<Int32>

  /// Starts `executable`.
  ///
  /// - Parameter name: of the files with its output, in `folder`.
  public init(
    _ executable: String, _ arguments: [String], at place: Place, name: String,
    in folder: ScratchFolder, environment: [String: String] = [:]
  ) throws {
    let listening: Int32
    let keyboard: Int32
    var bell: [Int32] = [-1, -1]
    guard pipe(&bell) == 0 else { throw Self.fault("pipe") }
    for end in bell { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.bell = Mutex(bell[1])
    switch place {
    case .pipe:
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Self.fault("pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      listening = ends[0]
      keyboard = -1
      defer { close(ends[1]) }
      process = try ChildProcess(
        executable, arguments, name: name, in: folder, environment: environment,
        descriptors: .init(output: ends[1]))
    case .terminal:
      let terminal = try Self.openTerminal()
      listening = terminal.ours
      keyboard = fcntl(terminal.ours, F_DUPFD_CLOEXEC, 3)
      defer { close(terminal.theirs) }
      // A session of its own, which the terminal controls: as under a person's hands.
      process = try ChildProcess(
        "/usr/bin/setsid", ["--ctty", "--wait", executable] + arguments, name: name, in: folder,
        environment: ["TERM": "vt100"].merging(environment) { $1 },
        descriptors: .init(
          input: terminal.theirs, output: terminal.theirs, error: terminal.theirs))
    }
    self.keyboard = Mutex(keyboard)
    Thread.detachNewThread { [heard, end = bell[0]] in Self.listen(listening, until: end, heard) }
  }

  // The terminal hangs up when its last descriptor here is closed, and ends what runs in it.
  deinit { hangUp() }

  /// Closes the terminal, as when its window is closed.
  package func hangUp() {
    Self.drop(keyboard)
    Self.drop(bell)
  }

  private static func drop(_ descriptor: borrowing Mutex<Int32>) {
    descriptor.withLock { number in
      if number >= 0 { close(number) }
      number = -1
    }
  }

  /// How its terminal takes what is typed and shows what is printed; empty where it has none.
  package var settings: [UInt32] {
    keyboard.withLock { keyboard in
      var settings = termios()
      guard tcgetattr(keyboard, &settings) == 0 else { return [] }
      return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    }
  }

  private static func fault(_ what: String) -> Silence {
    Silence(description: "no \(what) can be had: \(String(cString: strerror(errno)))")
  }

  /// `unlockpt` and `ptsname` by hand, from asm-generic/ioctls.h: Swift's Glibc has them not.
  private static let unlockRequest: UInt = 0x4004_5431
  private static let numberRequest: UInt = 0x8004_5430

  private static func openTerminal() throws -> (ours: Int32, theirs: Int32) {
    let ours = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: Int32 = 0
    guard ours >= 0, ioctl(ours, unlockRequest, &isLocked) == 0,
      ioctl(ours, numberRequest, &number) == 0
    else { throw fault("terminal") }
    let theirs = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard theirs >= 0 else {
      close(ours)
      throw fault("terminal")
    }
    return (ours, theirs)
  }

  private static func listen(_ descriptor: Int32, until bell: Int32, _ heard: Heard) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var polls = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polls, 2, -1) > 0 else { continue }
      if polls[1].revents != 0 { break }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      // A terminal without a process is an error, a pipe without one an end.
      guard count > 0 else { break }
      heard.add(buffer[..<count])
    }
    close(descriptor)
    close(bell)
    heard.end()
  }

  /// Types into its terminal.
  public func type(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { bytes in
        keyboard.withLock { write($0, bytes.baseAddress, bytes.count) }
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Waits until it has said `text`, after what was waited for before.
  public func wait(for text: String) async throws { try await heard.wait(for: text) }

  /// Everything that it has said.
  public var transcript: String { heard.all }

  /// What was said, how much of it was waited for, and who waits.
  private final class Heard: Sendable {
    private struct State {
      var text: [UInt8] = []
      var read = 0
      var isOver = false
      var expected: (text: [UInt8], wake: CheckedContinuation<Bool, Never>)?
    }
    private let state = Mutex(State())

    var all: String { state.withLock { String(decoding: $0.text, as: UTF8.self) } }

    func add(_ bytes: ArraySlice<UInt8>) {
      wake {
        $0.text += bytes
        return nil
      }
    }

    func end() {
      wake {
        $0.isOver = true
        return false
      }
    }

    /// Changes the state; whoever waits is woken when it has come, or with the answer given.
    private func wake(_ change: (inout State) -> Bool?) {
      let waking = state.withLock { state -> (CheckedContinuation<Bool, Never>, Bool)? in
        let answer = change(&state)
        guard let expected = state.expected else { return nil }
        if Self.take(expected.text, &state) {
          state.expected = nil
          return (expected.wake, true)
        }
        guard let answer else { return nil }
        state.expected = nil
        return (expected.wake, answer)
      }
      waking?.0.resume(returning: waking?.1 ?? false)
    }

    private static func take(_ text: [UInt8], _ state: inout State) -> Bool {
      guard let range = state.text[state.read...].firstRange(of: text) else { return false }
      state.read = range.upperBound
      return true
    }

    func wait(for text: String) async throws {
      let bytes = Array(text.utf8)
      let came = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let answer = state.withLock { state -> Bool? in
            if Self.take(bytes, &state) { return true }
            if state.isOver || Task.isCancelled { return false }
            state.expected = (bytes, continuation)
            return nil
          }
          if let answer { continuation.resume(returning: answer) }
        }
      } onCancel: {
        wake { _ in false }
      }
      if !came { throw Silence(description: "\"\(text)\" did not come. What came:\n\(all)") }
    }
  }
}
