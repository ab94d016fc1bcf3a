internal import Composable
public import StateModel
public import StatecastClient
public import SyncProtocol

/// Asserts what a daemon publishes of one of its views, and, step by step, what it did.
///
///     let store = try await daemon.testStore("tally", of: Tally.State.self, action: Tally.Action.self)
///     let receipt = await store.send(.add(2)) { $0.count = 2 }
///     await store.receive { $0.isEven = true }
///     await store.receiveStep(.add(2), from: .client)
///
/// A publication may cover several commits: commits that are made while one is on its way to the
/// disk are published together. Where a test cannot know which are, it waits `until` the view is as
/// it wants it; the daemon's log has every action by itself, in the one order.
///
/// As with a `TestStore` every publication must be asserted unless `exhaustivity` is off, and
/// failures go to the framework that runs the test.
public final class RemoteTestStore<ViewState: Mirrored & Equatable, Action: Mirrored> {
  typealias Location = TestFailure.Location

  /// The store whose publications are asserted.
  public let store: RemoteStore<ViewState, Action>

  /// The view as of the last publication that was asserted.
  public internal(set) var state: ViewState

  /// How much is to be asserted; everything unless set.
  public var exhaustivity = Exhaustivity.on

  /// How long `receive` waits for a publication, unless it says otherwise.
  public var timeout = Duration.seconds(20)

  /// What the time limit is measured on.
  public var timeoutClock: any Clock<Duration> = ContinuousClock()

  /// What was published and is not asserted yet.
  var publications: [(state: ViewState, number: CommitNumber)] = []
  var arrival: AsyncStream<Waited>.Continuation?
  var log = LogReader()
  /// Steps that were read and are not asserted yet.
  var steps: [LoggedStep<Action>] = []
  private var observation: Observation?
  private let made: Location
  private let reporter: FailureReporter

  /// Asserts what `store` receives from now on, and what the daemon does.
  public init(
    _ store: RemoteStore<ViewState, Action>, isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws {
    self.store = store
    made = Location(fileID: fileID, filePath: filePath, line: line, column: column)
    reporter = FailureReporter.current
    state = store.state
    observation = store.observe { [weak self] state in
      guard let self else { return }
      // After a daemon's restart the view comes whole: as it was, it is no publication to assert.
      if state.isIdentical(to: publications.last?.state ?? self.state) { return }
      publications.append((state, self.store.number))
      arrival?.yield(.changed)
    }
    // What was done before is no business of this test.
    while try await !readLog().isEmpty {}
    steps = []
  }

  deinit {
    guard exhaustivity == .on, !publications.isEmpty else { return }
    reporter(
      TestFailure(
        RemoteTestStoreMessages.unasserted(
          state, publications.map { ($0.state, "\($0.number)") }), at: made))
  }

  /// Sends an action, waits until the mirror shows what the daemon made of it, and asserts the view
  /// then.
  ///
  /// - Parameters:
  ///   - code: what the daemon refuses the action with, if it is to.
  ///   - expected: makes of the view before the action the one after it.
  /// - Returns: the commit that the action got; nil if it was refused.
  @discardableResult
  public func send(
    _ action: Action, refusedWith code: Code? = nil,
    assert expected: ((_ state: inout ViewState) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Receipt? {
    let location = Location(fileID: fileID, filePath: filePath, line: line, column: column)
    let name = TestStoreMessages.one(action)
    if !publications.isEmpty, exhaustivity == .on {
      fail(
        RemoteTestStoreMessages.unasserted(
          state, publications.map { ($0.state, "\($0.number)") }, before: name), at: location)
    }
    takeAll()
    do {
      let (receipt, published) = try await store.performPublished(action)
      if let code {
        fail(RemoteTestStoreMessages.notRefused(name, code.rawValue), at: location)
      }
      let before = state
      // Without a publication of its own the action did not change this view: what came meanwhile
      // is of somebody else's doing, and is asserted as such.
      if let published, let index = publications.firstIndex(where: { $0.number >= published }) {
        state = publications[index].state
        publications.removeFirst(index + 1)
      }
      check(name, before, expected, .sending, location)
      return receipt
    } catch {
      if error.code != code {
        fail(RemoteTestStoreMessages.refused(name, error, expected: code?.rawValue), at: location)
      }
      return nil
    }
  }

  /// Asserts the next publication, of whoever's doing; waits for it.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait at most; the store's unless given.
  ///   - expected: makes of the view that was asserted last the one published.
  public func receive(
    timeout: Duration? = nil, assert expected: ((_ state: inout ViewState) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      // Without a closure nothing is to have changed, which a publication always has.
      { _ in true }, timeout, expected ?? { _ in },
      Location(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Waits until the view is as it is to be, however many publications that takes, and asserts the
  /// rest of it.
  ///
  /// - Parameters:
  ///   - isExpected: what is waited for.
  ///   - timeout: how long to wait at most; the store's unless given.
  ///   - expected: makes of the view that was asserted last the one published; nothing more is
  ///     asserted without.
  public func receive(
    until isExpected: (_ state: ViewState) -> Bool, timeout: Duration? = nil,
    assert expected: ((_ state: inout ViewState) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      isExpected, timeout, expected,
      Location(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private func receive(
    _ isExpected: (ViewState) -> Bool, _ timeout: Duration?,
    _ expected: ((inout ViewState) throws -> Void)?, _ location: Location
  ) async {
    let limit = timeout ?? self.timeout
    let before = state
    let (events, event) = AsyncStream<Waited>.makeStream()
    arrival = event
    let timer = TimeLimit(limit, on: timeoutClock).startTimer { event.yield(.late) }
    defer {
      arrival = nil
      timer.cancel()
    }
    event.yield(.changed)
    for await next in events {
      while !publications.isEmpty {
        state = publications.removeFirst().state
        guard isExpected(state) else { continue }
        if expected != nil { check("a publication", before, expected, .receiving, location) }
        return
      }
      if next == .late { break }
    }
    fail(RemoteTestStoreMessages.late(limit, state), at: location)
  }

  private func check(
    _ name: String, _ before: ViewState, _ expected: ((inout ViewState) throws -> Void)?,
    _ how: TestStoreMessages.How, _ location: Location
  ) {
    StateCheck(exhaustivity: exhaustivity, location: location)
      .check(name, before, state, expected, how)
  }

  private func takeAll() {
    if let last = publications.last { state = last.state }
    publications = []
  }

  func fail(_ message: String, at location: Location) {
    FailureReporter.current(TestFailure(message, at: location))
  }
}
