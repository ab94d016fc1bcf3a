public import Composable

extension TestStore where Action: Equatable {
  /// Asserts an action that an effect sent, and the state as of that action; waits for it if it has
  /// not come and an effect is under way.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - timeout: how long to wait at most; the store's unless given.
  ///   - rejection: what the reducer refuses the action with, if it is to.
  ///   - expected: makes of the state before the action the one after it.
  public func receive(
    _ action: Action, timeout: Duration? = nil, rejectedWith rejection: Rejection? = nil,
    assert expected: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      TestStoreMessages.one(action), timeout, rejection, expected,
      Location(fileID: fileID, filePath: filePath, line: line, column: column),
      difference: { Rendering.difference(action, $0) }, where: { $0 == action })
  }
}

extension TestStore {
  /// Asserts an action that fits, and the state as of that action.
  ///
  /// - Parameter isExpected: whether an action is the one that is expected.
  public func receive(
    where isExpected: (_ action: Action) -> Bool, timeout: Duration? = nil,
    assert expected: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      "an action that fits the predicate", timeout, nil, expected,
      Location(fileID: fileID, filePath: filePath, line: line, column: column), where: isExpected)
  }

  /// Asserts an action of one case, whatever it carries, and the state as of that action.
  public func receive<Value>(
    _ path: CasePath<Action, Value>, timeout: Duration? = nil,
    assert expected: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      "an action of the case that carries '\(Value.self)'", timeout, nil, expected,
      Location(fileID: fileID, filePath: filePath, line: line, column: column),
      where: { path.extract($0) != nil })
  }

  /// Asserts an action of one case by its name, whatever it carries: `receive(\.answered)`.
  public func receive<Value>(
    _ path: CaseKeyPath<Action, Value>, timeout: Duration? = nil,
    assert expected: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async where Action: CasePathable {
    await receive(
      Action.allCasePaths[keyPath: path], timeout: timeout, assert: expected, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  private func receive(
    _ name: String, _ timeout: Duration?, _ rejection: Rejection?,
    _ expected: ((inout State) throws -> Void)?, _ location: Location,
    difference: (Action) -> String? = { _ in nil }, where isExpected: (Action) -> Bool
  ) async {
    if let failure = await waitForAction(name, timeout ?? self.timeout, where: isExpected) {
      return fail(failure, at: location)
    }
    skip(to: isExpected, at: location)
    guard let step = received.first else { return }
    received.removeFirst()
    let before = state
    state = step.state
    guard isExpected(step.action) else {
      return fail(
        TestStoreMessages.otherAction(
          name, found: step.action, difference: difference(step.action)),
        at: location)
    }
    check(step, before: before, rejection: rejection, expected, during: .receiving, at: location)
  }

  /// Where not everything is asserted, what comes before the expected action is left out.
  private func skip(to isExpected: (Action) -> Bool, at location: Location) {
    guard case .off(let isShown) = exhaustivity,
      let index = received.firstIndex(where: { isExpected($0.action) }), index > 0
    else { return }
    let skipped = received[..<index]
    received.removeFirst(index)
    if let last = skipped.last { state = last.state }
    if isShown { note(TestStoreMessages.skipped(skipped.map(\.action)), at: location) }
  }

  /// Waits until there is an action to be asserted; gives why there will be none.
  private func waitForAction(
    _ name: String, _ limit: Duration, where isExpected: (Action) -> Bool
  ) async -> String? {
    await settling.settle()
    if hasReceived(isExpected) { return nil }
    let (events, event) = AsyncStream<Waited>.makeStream()
    arrival = event
    let limitTask = TimeLimit(limit, on: timeoutClock).startTimer { event.yield(.late) }
    let idle = Task { [runner] in
      await runner.idle()
      event.yield(.idle)
    }
    defer {
      arrival = nil
      limitTask.cancel()
      idle.cancel()
    }
    var isLate = false
    for await next in events {
      await settling.settle()
      if hasReceived(isExpected) { return nil }
      isLate = next == .late
      if next != .changed { break }
    }
    if isLate || !runner.isIdle {
      return TestStoreMessages.noActionInTime(name, limit, underWay())
    }
    return TestStoreMessages.noAction(name)
  }

  private func hasReceived(_ isExpected: (Action) -> Bool) -> Bool {
    exhaustivity == .on ? !received.isEmpty : received.contains { isExpected($0.action) }
  }

  /// What was sent whose effects are under way.
  func underWay() -> [String] { runner.liveFamilies.map { sent[$0] ?? "an earlier action" } }
}

/// What a `receive` was woken by.
enum Waited: Sendable {
  case changed
  case idle
  case late
}
