internal import Foundation
internal import Processes

/// A process that a test started: its output goes to files, so that no pipe can fill up.
///
/// It is killed with the last reference to it, so that a test that fails leaves nothing running; and
/// with the test's own process, so that a test that is killed leaves nothing either.
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

  private let program: StartedProgram
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
    let output = try descriptors.output ?? Self.appending(outputPath)
    defer { if descriptors.output == nil { close(output) } }
    let error = try descriptors.error ?? Self.appending(errorPath)
    defer { if descriptors.error == nil { close(error) } }
    program = try StartedProgram(
      ProgramPlan(executable, arguments).with {
        $0.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        $0.input = descriptors.input
        $0.output = output
        $0.error = error
        $0.endsWithParent = true
      })
    pid = program.pid
  }

  deinit { signal(SIGKILL) }

  /// Sends a signal; nothing if it has ended.
  public func signal(_ number: Int32) { program.signal(number) }

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
  public var ending: Ending? { program.ending.map(Ending.init) }

  /// Waits for its end; a wait that is cancelled (a test's time limit) kills it.
  public func waitUntilEnded() async -> Ending {
    await withTaskCancellationHandler {
      await Ending(program.wait())
    } onCancel: {
      signal(SIGKILL)
    }
  }

  /// Calls once it has ended, at once if it has; unlike a wait it does not keep the process alive.
  package func whenEnded(_ body: @escaping @Sendable (Ending) -> Void) {
    program.whenEnded { body(Ending($0)) }
  }

  /// What it has written so far.
  public var output: String { Self.text(outputPath) }

  /// What it has complained about so far.
  public var errors: String { Self.text(errorPath) }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  private static func appending(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return descriptor
  }
}

extension ChildProcess.Ending {
  init(_ ending: StartedProgram.Ending) {
    switch ending {
    case .exited(let code): self = .exited(code)
    case .signalled(let number): self = .signalled(number)
    }
  }
}
