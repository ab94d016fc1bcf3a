internal import Composable

extension TestStore {
  /// Asserts the state as of now: for what is asserted of several actions together, where
  /// `exhaustivity` is off.
  ///
  /// - Parameter expected: makes the expected state; it is given the present one.
  public func assert(
    _ expected: (_ state: inout State) throws -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = Location(fileID: fileID, filePath: filePath, line: line, column: column)
    var wanted = state
    do { try expected(&wanted) } catch {
      return fail(TestStoreMessages.threw(error), at: location)
    }
    if wanted != state {
      fail(TestStoreMessages.otherState(nil, expected: wanted, found: state), at: location)
    }
  }

  /// Asserts less, or more, in `work`.
  public func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity, _ work: () async throws -> Result
  ) async rethrows -> Result {
    let before = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = before }
    return try await work()
  }

  /// Asserts what a step did, with `state` being as of the step.
  func check(
    _ step: Step, before: State, rejection: Rejection? = nil,
    _ expected: ((inout State) throws -> Void)?, during how: TestStoreMessages.How,
    at location: Location
  ) {
    let name = TestStoreMessages.one(step.action)
    if step.rejection != rejection {
      return fail(
        TestStoreMessages.rejection(name, expected: rejection, found: step.rejection), at: location)
    }
    StateCheck(exhaustivity: exhaustivity, location: location)
      .check(name, before, step.state, expected, how)
  }

  func note(_ text: String, at location: Location) {
    FailureReporter.current.note("\(location.fileID):\(location.line): \(text)")
  }
}
