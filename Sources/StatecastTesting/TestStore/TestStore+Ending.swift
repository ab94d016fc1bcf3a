internal import Composable

extension TestStore {
  /// Waits until every effect has ended, and asserts that nothing is left to be received.
  ///
  /// - Parameter timeout: how long at most; the store's unless given. Later is a failure.
  public func finish(
    timeout: Duration? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let location = Location(fileID: fileID, filePath: filePath, line: line, column: column)
    let limit = timeout ?? self.timeout
    await settling.settle()
    let isOver = await TimeLimit(limit, on: timeoutClock).reaches { [runner] in
      await runner.idle()
    }
    await settling.settle()
    if !isOver {
      fail(TestStoreMessages.late(underWay(), limit), at: location)
      // Said once: the end of the test has nothing to add.
      saidUnderWay = true
    }
    checkReceived(FailureReporter.current, at: location)
  }

  /// Leaves out the actions that were received and are not asserted.
  ///
  /// - Parameter strict: whether it is a failure that there are none.
  public func skipReceivedActions(
    strict: Bool = true, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let location = Location(fileID: fileID, filePath: filePath, line: line, column: column)
    await settling.settle()
    if received.isEmpty {
      if strict { fail(TestStoreMessages.nothingReceived, at: location) }
      return
    }
    if case .off(true) = exhaustivity {
      note(TestStoreMessages.skipped(received.map(\.action)), at: location)
    }
    received = []
    state = latest
  }

  /// Cancels the effects that are under way, and waits for their end.
  ///
  /// - Parameter strict: whether it is a failure that there are none.
  public func skipInFlightEffects(
    strict: Bool = true, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let location = Location(fileID: fileID, filePath: filePath, line: line, column: column)
    await settling.settle()
    if runner.isIdle {
      if strict { fail(TestStoreMessages.nothingUnderWay, at: location) }
      return
    }
    if case .off(true) = exhaustivity {
      note(TestStoreMessages.cancelled(underWay()), at: location)
    }
    runner.cancelAll()
    await runner.idle()
    await settling.settle()
  }

  /// What is wrong with a test that ends now.
  func checkEnd() {
    checkReceived(reporter, at: made)
    guard !runner.isIdle, !saidUnderWay else { return }
    switch exhaustivity {
    case .on: reporter(TestFailure(TestStoreMessages.underWay(underWay()), at: made))
    case .off(true):
      reporter.note("\(made.fileID):\(made.line): \(TestStoreMessages.cancelled(underWay()))")
    case .off(false): break
    }
  }

  private func checkReceived(_ reporter: FailureReporter, at location: Location) {
    if received.isEmpty { return }
    let left = received.map(\.action)
    received = []
    state = latest
    switch exhaustivity {
    case .on: reporter(TestFailure(TestStoreMessages.unreceived(left), at: location))
    case .off(true):
      reporter.note("\(location.fileID):\(location.line): \(TestStoreMessages.skipped(left))")
    case .off(false): break
    }
  }
}
