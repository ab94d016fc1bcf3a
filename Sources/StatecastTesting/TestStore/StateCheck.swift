/// Compares a state with what a test says of it; what test stores of both kinds share.
struct StateCheck {
  let exhaustivity: Exhaustivity
  let location: TestFailure.Location

  /// Asserts that `expected` makes of the state before the one after.
  ///
  /// - Parameter name: what brought the state there, for messages.
  func check<State: Equatable>(
    _ name: String, _ before: State, _ after: State, _ expected: ((inout State) throws -> Void)?,
    _ how: TestStoreMessages.How
  ) {
    switch exhaustivity {
    case .on: checkAll(name, before, after, expected, how)
    case .off(let isShown): checkSome(name, before, after, expected, isShown)
    }
  }

  private func checkAll<State: Equatable>(
    _ name: String, _ before: State, _ after: State, _ expected: ((inout State) throws -> Void)?,
    _ how: TestStoreMessages.How
  ) {
    guard let expected else {
      if before != after { fail(TestStoreMessages.unasserted(name, before, after, how)) }
      return
    }
    var wanted = before
    do { try expected(&wanted) } catch { return fail(TestStoreMessages.threw(error)) }
    if wanted != after {
      fail(TestStoreMessages.otherState(name, expected: wanted, found: after))
    } else if wanted == before {
      fail(TestStoreMessages.idleClosure(name))
    }
  }

  /// The closure says something of the state; what it does not mention may be as it likes.
  private func checkSome<State: Equatable>(
    _ name: String, _ before: State, _ after: State, _ expected: ((inout State) throws -> Void)?,
    _ isShown: Bool
  ) {
    var wanted = after
    var told = before
    do {
      try expected?(&wanted)
      try expected?(&told)
    } catch {
      return fail(TestStoreMessages.threw(error))
    }
    if wanted != after {
      fail(TestStoreMessages.otherState(name, expected: wanted, found: after))
    } else if isShown, told != after {
      FailureReporter.current.note(
        "\(location.fileID):\(location.line): \(TestStoreMessages.notAsserted(name, told, after))")
    }
  }

  private func fail(_ message: String) {
    FailureReporter.current(TestFailure(message, at: location))
  }
}
