internal import CProcesses
internal import Foundation

/// A program that was started, and its end.
///
/// A thread of its own starts it and waits for it. Foundation's `Process` hears of an end by a
/// descriptor that the program's own children inherit, so not while one of them lives on, and a test
/// waited for minutes for a child that was long dead. Here the kernel is asked for this child alone.
package final class StartedProgram: Sendable {
  /// How it ended.
  package enum Ending: Equatable, Sendable {
    /// With an exit code.
    case exited(Int32)
    /// By a signal.
    case signalled(Int32)

    /// The exit code, or what a shell says in its place.
    package var status: Int32 {
      switch self {
      case .exited(let code): code
      case .signalled(let number): 128 + number
      }
    }
  }

  /// Its process id.
  package let pid: Int32
  private let life: ProgramLife

  /// Starts it.
  package init(_ plan: ProgramPlan) throws(ProgramFailure) {
    let started = Awaited<Result<Int32, ProgramFailure>>()
    let life = ProgramLife()
    // `endsWithParent` means the thread that started it, so that is one which stays.
    Thread.detachNewThread {
      let result = Self.start(plan)
      started.give(result)
      if case .success(let pid) = result { life.watch(pid, keepsGroup: plan.keepsGroup) }
    }
    pid = try started.take().get()
    self.life = life
  }

  private static func start(_ plan: ProgramPlan) -> Result<Int32, ProgramFailure> {
    let environment = plan.environment ?? ProcessInfo.processInfo.environment
    let words = packed([plan.executable] + plan.arguments)
    let settings = packed(environment.map { "\($0)=\($1)" })
    var flags: Int32 = 0
    if plan.endsWithParent { flags |= CPROCESSES_ENDS_WITH_PARENT }
    if plan.hasOwnSession { flags |= CPROCESSES_OWN_SESSION }
    var code: Int32 = 0
    let pid = cprocesses_start(
      plan.executable, words, words.count, settings, settings.count, plan.input ?? -1,
      plan.output ?? -1, plan.error ?? -1, flags, &code)
    return pid > 0
      ? .success(pid) : .failure(ProgramFailure(executable: plan.executable, code: code))
  }

  /// A list of words as C takes it. A zero byte would end its word for every program: it ends it here.
  private static func packed(_ words: [String]) -> [CChar] {
    words.flatMap { word in word.utf8.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0] }
  }

  /// How it ended; nil while it runs.
  package var ending: Ending? { life.ending }

  /// Sends a signal; nothing if it has ended, whoever has its number then.
  package func signal(_ number: Int32) { life.ifAlive { kill(pid, number) } }

  /// Sends a signal to its process group, which it must lead: to what it has started, too, and also
  /// after its own end where its plan says so.
  package func signalGroup(_ number: Int32) { life.ifNumberIsKept { kill(-pid, number) } }

  /// Nothing is sent to its group any more.
  package func forgetGroup() { life.forgetGroup() }

  /// Calls once it has ended, at once if it has.
  package func whenEnded(_ body: @escaping @Sendable (Ending) -> Void) { life.whenEnded(body) }

  /// Waits for its end.
  package func wait() async -> Ending {
    await withCheckedContinuation { continuation in
      whenEnded { continuation.resume(returning: $0) }
    }
  }

  /// Blocks the thread until its end, for programs that have nothing else to do.
  @discardableResult
  package func waitBlocking() -> Ending {
    let ended = Awaited<Ending>()
    whenEnded { ended.give($0) }
    return ended.take()
  }
}
