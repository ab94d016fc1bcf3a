public import Composable

extension TestStore {
  /// Sends an action, asserts what it does to the state, and returns once none of its effects can
  /// go on.
  ///
  /// - Parameters:
  ///   - expected: makes of the state before the action the one after it. Leave it out where the
  ///     state does not change.
  ///   - rejection: what the reducer refuses the action with, if it is to.
  @discardableResult
  public func send(
    _ action: Action, rejectedWith rejection: Rejection? = nil,
    assert expected: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    let location = Location(fileID: fileID, filePath: filePath, line: line, column: column)
    await settling.settle()
    skipOrFail(before: action, at: location)
    let before = state
    let (steps, operations) = perform(action, at: location)
    note(action)
    let family = start(operations)
    if let step = steps.first {
      state = step.state
      check(
        step, before: before, rejection: rejection, expected, during: .sending, at: location)
    }
    received += steps.dropFirst()
    await settling.settle()
    return TestStoreTask(
      family?.storeTask, of: TestStoreMessages.one(action), settling: settling, timeout: timeout,
      clock: timeoutClock)
  }

  /// Received actions are asserted before the next is sent: what is sent then might make sense only
  /// after them.
  private func skipOrFail(before action: Action, at location: Location) {
    guard !received.isEmpty else { return }
    let skipped = received.map(\.action)
    state = latest
    received = []
    switch exhaustivity {
    case .on:
      fail(TestStoreMessages.unreceived(skipped, before: action), at: location)
    case .off(let isShown):
      if isShown { note(TestStoreMessages.skipped(skipped), at: location) }
    }
  }
}

/// Follows what a sent action started.
public struct TestStoreTask: Sendable {
  private let task: StoreTask
  private let name: String
  private let settling: EffectSettling
  private let timeout: Duration
  private let clock: any Clock<Duration>

  init(
    _ task: StoreTask?, of name: String, settling: EffectSettling, timeout: Duration,
    clock: any Clock<Duration>
  ) {
    self.task = task ?? StoreTask(nil)
    self.name = name
    self.settling = settling
    self.timeout = timeout
    self.clock = clock
  }

  /// Waits until everything that the action started has ended.
  ///
  /// - Parameter timeout: how long at most; the store's unless given. Later is a failure.
  public func finish(
    timeout: Duration? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    await settling.settle()
    let limit = timeout ?? self.timeout
    let isOver = await TimeLimit(limit, on: clock).reaches { await task.finish() }
    await settling.settle()
    if isOver { return }
    FailureReporter.current(
      TestFailure(
        TestStoreMessages.late([name], limit),
        at: TestFailure.Location(fileID: fileID, filePath: filePath, line: line, column: column)))
  }

  /// Cancels everything that the action started, and waits for its end.
  public func cancel() async {
    await task.cancel()
    await settling.settle()
  }

  /// Whether it was cancelled.
  public var isCancelled: Bool { task.isCancelled }
}
