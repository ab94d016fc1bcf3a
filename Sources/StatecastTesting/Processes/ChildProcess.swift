internal import Foundation
internal import Synchronization

/// A process that a test started: its output goes to files, so that no pipe can fill up or keep its
/// death from being noticed.
///
/// It is killed with the last reference to it, so that a test that fails leaves nothing running.
public final class ChildProcess: Sendable {
  /// How it ended.
  public enum Ending: Equatable, Sendable {
    /// With an exit code.
    case exited(Int32)
    /// By a signal.
    case signalled(Int32)
  }

  /// There is no program to start: the test target does not depend on it, or its name is another.
  public struct MissingProgram: Error, Equatable, CustomStringConvertible {
    /// Where it was looked for.
    public var path: String

    /// What happened, and what to do.
    public var description: String {
      "there is no program \(path). Name its executable target among the dependencies of the test "
        + "target, and start it by that name."
    }
  }

  private struct Life {
    var ending: Ending?
    var waiting: [@Sendable (Ending) -> Void] = []
  }

  private let life: LifeBox
  /// Its output is in there, as long as somebody may read it.
  private let folder: ScratchFolder
  /// Its process id.
  public let pid: Int32
  /// The file of its standard output.
  public let outputPath: String
  /// The file of its standard error.
  public let errorPath: String

  /// Starts `executable` with an empty standard input.
  ///
  /// - Parameter name: of the two files with its output, in `folder`.
  public convenience init(
    _ executable: String, _ arguments: [String] = [], name: String, in folder: ScratchFolder,
    environment: [String: String] = [:]
  ) throws {
    try self.init(
      executable, arguments, name: name, in: folder, environment: environment,
      descriptors: Descriptors())
  }

  /// What takes the place of its files; nil leaves the file.
  struct Descriptors {
    var input: Int32?
    var output: Int32?
    var error: Int32?
  }

  init(
    _ executable: String, _ arguments: [String], name: String, in folder: ScratchFolder,
    environment: [String: String], descriptors: Descriptors
  ) throws {
    guard access(executable, X_OK) == 0 else { throw MissingProgram(path: executable) }
    self.folder = folder
    outputPath = folder.file(name + ".out")
    errorPath = folder.file(name + ".err")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    func handle(_ descriptor: Int32?) -> FileHandle? {
      descriptor.map { FileHandle(fileDescriptor: $0, closeOnDealloc: false) }
    }
    process.standardInput = handle(descriptors.input) ?? FileHandle.nullDevice
    process.standardOutput = try handle(descriptors.output) ?? Self.appending(outputPath)
    process.standardError = try handle(descriptors.error) ?? Self.appending(errorPath)
    let life = LifeBox()
    process.terminationHandler = { process in
      life.end(
        process.terminationReason == .exit
          ? .exited(process.terminationStatus) : .signalled(process.terminationStatus))
    }
    try process.run()
    self.life = life
    pid = process.processIdentifier
  }

  deinit { signal(SIGKILL) }

  /// Sends a signal; nothing if it has ended.
  public func signal(_ number: Int32) {
    if life.ending == nil { Foundation.kill(pid, number) }
  }

  /// Ends it at once (SIGKILL) and waits until it is gone.
  public func kill() async {
    signal(SIGKILL)
    _ = await waitUntilEnded()
  }

  /// Asks it to end (SIGTERM) and waits until it has.
  @discardableResult
  public func terminate() async -> Ending {
    signal(SIGTERM)
    return await waitUntilEnded()
  }

  /// How it ended; nil while it runs.
  public var ending: Ending? { life.ending }

  /// Waits for its end; a wait that is cancelled (a test's time limit) kills it.
  public func waitUntilEnded() async -> Ending {
    await withTaskCancellationHandler {
      await life.wait()
    } onCancel: {
      signal(SIGKILL)
    }
  }

  /// Calls once it has ended, at once if it has; unlike a wait it does not keep the process alive.
  package func whenEnded(_ body: @escaping @Sendable (Ending) -> Void) { life.whenEnded(body) }

  /// What it has written so far.
  public var output: String { Self.text(outputPath) }

  /// What it has complained about so far.
  public var errors: String { Self.text(errorPath) }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  private static func appending(_ path: String) throws -> FileHandle {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    return handle
  }

  /// Whether it has ended, and who waits for that.
  private final class LifeBox: Sendable {
    private let life = Mutex(Life())

    var ending: Ending? { life.withLock(\.ending) }

    func end(_ ending: Ending) {
      let waiting = life.withLock { life in
        life.ending = ending
        defer { life.waiting = [] }
        return life.waiting
      }
      for body in waiting { body(ending) }
    }

    func whenEnded(_ body: @escaping @Sendable (Ending) -> Void) {
      let ending = life.withLock { life in
        if life.ending == nil { life.waiting.append(body) }
        return life.ending
      }
      if let ending { body(ending) }
    }

    func wait() async -> Ending {
      await withCheckedContinuation { continuation in
        whenEnded { continuation.resume(returning: $0) }
      }
    }
  }
}
