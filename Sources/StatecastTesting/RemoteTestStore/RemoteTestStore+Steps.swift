internal import StateModel
internal import StatecastClient
internal import SyncProtocol

extension RemoteTestStore {
  /// What the daemon did since the last time, in the one order: every action by itself, those of
  /// other clients and of effects too. Waits for nothing: what is to be there has been published.
  public func takeSteps() async throws -> [LoggedStep<Action>] {
    while try await !readLog().isEmpty {}
    defer { steps = [] }
    return steps
  }

  /// Asserts the next step of the daemon's log.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - sender: who sent it.
  /// - Returns: the step; nil if there is none.
  @discardableResult
  public func receiveStep(
    _ action: Action, from sender: StepSender = .anybody, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> LoggedStep<Action>? {
    let location = Location(fileID: fileID, filePath: filePath, line: line, column: column)
    while try await !readLog().isEmpty {}
    let wanted = RemoteTestStoreMessages.step(action, sender)
    guard !steps.isEmpty else {
      fail(RemoteTestStoreMessages.noStep(wanted), at: location)
      return nil
    }
    let step = steps.removeFirst()
    guard case .action(let found) = step.what, found.isIdentical(to: action),
      sender.isSender(of: step)
    else {
      fail(RemoteTestStoreMessages.otherStep(wanted, "\(step)"), at: location)
      return step
    }
    return step
  }

  /// Reads what the log has behind what was read before; less than everything where that is much.
  func readLog() async throws -> [LoggedStep<Action>] {
    let fresh = try await log.next(on: store.connection).compactMap { LoggedStep<Action>($0) }
    steps += fresh
    return fresh
  }
}

extension StepSender {
  func isSender<Action>(of step: LoggedStep<Action>) -> Bool {
    switch self {
    case .anybody: true
    case .client: step.origin != nil
    case .effect(let commit): step.cause == commit
    }
  }
}
