import Glibc
import Testing

@testable import ZeroMQ

/// How long a test waits for what must happen before it calls it missing. Never slept through: the
/// wait ends with the event.
let patience = Duration.seconds(20)

/// A test's own folder of short name (an ipc path has 107 bytes), gone with the test.
struct Scratch: ~Copyable {
  let folder: String

  init() throws {
    var template = Array("/tmp/zmq-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    folder = String(cString: try #require(made))
  }

  deinit {
    guard let files = opendir(folder) else { return }
    while let entry = readdir(files) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { remove("\(folder)/\(name)") }
    }
    closedir(files)
    rmdir(folder)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }
  func ipc(_ name: String) -> String { "ipc://\(folder)/\(name)" }

  /// An endpoint to bind of that transport; connect to the socket's `lastEndpoint`.
  func endpoint(_ transport: Transport, _ name: String = "s") -> String {
    switch transport {
    case .ipc: ipc(name)
    case .tcp: "tcp://127.0.0.1:*"
    }
  }
}

enum Transport: CaseIterable, Sendable {
  case ipc
  case tcp
}

/// Waits until the condition holds, looking again whenever one of the sockets has news; false
/// after the patience. Every socket of the conversation must be given: one that nobody looks at
/// does nothing. What no socket tells (that a listener's port is free) is looked at again and again.
func eventually(
  _ sockets: [SocketCore], within patience: Duration = patience, lookingAgain: Bool = false,
  _ condition: () throws -> Bool
) throws -> Bool {
  let deadline = EventLoop.monotonicNow() + Int64(patience / .nanoseconds(1))
  while true {
    if try condition() { return true }
    for socket in sockets { _ = socket.events() }
    if try condition() { return true }
    let left = deadline - EventLoop.monotonicNow()
    guard left > 0 else { return false }
    var descriptors = try sockets.map {
      pollfd(fd: try $0.descriptor(), events: Int16(POLLIN), revents: 0)
    }
    poll(&descriptors, nfds_t(descriptors.count), lookingAgain ? 1 : Int32(left / 1_000_000) + 1)
  }
}

extension Socket {
  /// The next message, waited for; the other sockets are kept going meanwhile.
  mutating func next(
    with others: [SocketCore] = [], within patience: Duration = patience
  ) throws -> Message? {
    var message: Message?
    let core = core
    _ = try eventually([core] + others, within: patience) {
      message = try receive()
      return message != nil
    }
    return message
  }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Expects that a process that had to trap said so in these words.
func expectOutput(
  of result: ExitTest.Result?, _ words: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let output = text(result?.standardErrorContent ?? [])
  #expect(output.contains(words), sourceLocation: sourceLocation)
}
