import Composable
import FoundationEssentials
import StateModel
import StatecastClient
import Synchronization
import Testing

@testable import StatecastDaemon
@testable import SyncProtocol

@Suite("Rule 21: who may answer, and what is the answer when nobody does", .timeLimit(.minutes(5)))
@MainActor
struct QuestionTermsTests {
  private typealias Place = AlertPlace<Quiz.State, Quiz.Action>

  private func open(
    _ rig: HostedRig<QuizDaemon>
  ) async throws -> RemoteStore<Quiz.State, Quiz.Action> {
    try await rig.connect().store("quiz", of: Quiz.State.self, action: Quiz.Action.self)
  }

  private func answer(
    _ store: RemoteStore<Quiz.State, Quiz.Action>, _ id: UUID, _ button: UInt64?
  ) async throws -> Receipt {
    try await store.connection.perform(
      Entry(.answer(alert: id.encoded(), button: button)), mirrored: true)
  }

  @Test("Only the client that is named may answer; others are told who may")
  func client() async throws {
    let rig = try await HostedRig(QuizDaemon())
    let one = try await open(rig)
    let two = try await open(rig)
    // The sessions of a daemon are numbered from 1, in the order of their hellos.
    _ = try await one.perform(.ask(client: 2, admin: false, seconds: nil, button: nil))
    _ = try await two.perform(.answered(0), until: .mirrored)
    let id = try #require(two.alert?.id)
    #expect(two.alert?.terms?.answerers == .client(2))
    let failure = await #expect(throws: ActionFailure.self) { try await answer(one, id, 0) }
    #expect(failure?.description == "forbidden: only client 2 may answer this question")
    _ = try await answer(two, id, 1)
    let late = await #expect(throws: ActionFailure.self) { try await answer(two, id, 0) }
    #expect(late?.code == .alreadyAnswered)
    #expect(late?.message.hasPrefix("client 2 answered first, in commit ") == true)
    _ = try await two.perform(.answered(9), until: .mirrored)
    #expect(two.answers == [0, 2, 9])
    #expect(two.alert == nil)
    await rig.stop()
  }

  @Test("An admin's question is for the admin's role")
  func admin() throws {
    var core = ReducerCore(Quiz())
    var state = Quiz.State()
    _ = core.perform(.ask(client: nil, admin: true, seconds: nil, button: nil), on: &state)
    let id = try #require(state.alert?.id)
    #expect(
      throws: AlertAnswer<Quiz.State, Quiz.Action>.Refusal.forbidden(
        "only an admin may answer this question")
    ) {
      try AlertAnswer(
        to: id, button: 0, in: state, of: Quiz.places, by: .client(3, isAdmin: false))
    }
    let answer = try AlertAnswer(
      to: id, button: 0, in: state, of: Quiz.places, by: .client(3, isAdmin: true))
    #expect(answer.action == .answered(1))
  }

  @Test("A daemon answers at the deadline, once, also past its own policy; a late answer says so")
  func deadline() async throws {
    let rig = try await HostedRig(QuizDaemon())
    let store = try await open(rig)
    // Every publication is seen, also when the deadline has come by the time of looking.
    var ids: [UUID] = []
    let observation = store.observe { if let id = $0.alert?.id { ids.append(id) } }
    _ = try await store.perform(
      .ask(client: 99, admin: false, seconds: 0.05, button: 1), until: .mirrored)
    for await state in store.values where state.alert == nil { break }
    observation.cancel()
    let id = try #require(ids.first)
    #expect(store.answers == [2])
    let late = await #expect(throws: ActionFailure.self) { try await answer(store, id, 0) }
    #expect(late?.code == .alreadyAnswered)
    #expect(late?.message.hasPrefix("the daemon answered first, in commit 2 at ") == true)
    _ = try await store.perform(.askInDialog(seconds: 0.05))
    for await state in store.values where state.answers.count == 2 { break }
    #expect(store.answers == [2, 3])
    #expect(store.dialog == nil)
    await rig.stop()
  }

  @Test("Time is the machine's: in time is in time, late is late, and a restart forgets nothing")
  func injected() throws {
    var machine = daemon(Quiz.State(), seed: 1)
    func states() -> Quiz.State { machine.app.state }
    func send(_ action: Quiz.Action, at date: Double) {
      machine.handle(
        .effect(action: action.encoded(), cause: 0), at: Moment(nanoseconds: 0), date: date)
      machine.handle(.drained, at: Moment(nanoseconds: 0), date: date)
    }
    func tick(at date: Double) {
      machine.handle(.tick, at: Moment(nanoseconds: 0), date: date)
      machine.handle(.drained, at: Moment(nanoseconds: 0), date: date)
    }
    send(.ask(client: nil, admin: false, seconds: 30, button: 1), at: 0)
    #expect(states().alert != nil)
    send(.dismissed, at: 29)
    tick(at: 31)
    #expect(states().answers == [], "it was gone before its deadline")
    send(.ask(client: nil, admin: false, seconds: 30, button: nil), at: 100)
    tick(at: 129.9)
    #expect(states().alert != nil)
    // A daemon that was away meanwhile answers when it is back.
    machine = daemon(states(), seed: 2)
    tick(at: 129.95)
    #expect(states().alert != nil)
    tick(at: 130)
    #expect(states().alert == nil)
    #expect(states().answers == [])
    send(.askInDialog(seconds: 1), at: 200)
    send(.ask(client: nil, admin: false, seconds: 2, button: 0), at: 200)
    tick(at: 999)
    tick(at: 1_000)
    #expect(states().answers == [3, 1])
  }

  @Test("The wall clock is set: a question is answered when its date has come, and not before")
  func clockIsSet() {
    var machine = daemon(Quiz.State(), seed: 1)
    var now = Moment(nanoseconds: 0)
    func handle(_ event: AuthorityEvent, at date: Double) {
      machine.handle(event, at: now, date: date)
      machine.handle(.drained, at: now, date: date)
    }
    let decade = 10.0 * 366 * 24 * 3600
    let ask = Quiz.Action.ask(client: nil, admin: false, seconds: 30, button: 1).encoded()
    handle(.effect(action: ask, cause: 0), at: decade)
    // Ten years back: the date is far off, and somebody looks once a second whether it still is.
    for _ in 0..<5 {
      let next = machine.nextDeadline
      #expect(next != nil && next! > now && next! <= now + .seconds(1))
      now = now + .seconds(1)
      handle(.tick, at: 0)
    }
    #expect(machine.app.state.answers == [])
    // Set right again, it comes at once, and its beats go on as if nothing had been.
    now = now + .milliseconds(1)
    handle(.tick, at: decade + 31)
    #expect(machine.app.state.answers == [2])
    #expect(machine.nextDeadline.map { $0 > now && $0 <= now + .seconds(1) } == true)
  }

  @Test(
    "A date that is no number, or is for ever, never comes, and holds nothing up",
    arguments: [Double.nan, -.nan, .signalingNaN, .infinity, 1e300])
  func oddDates(seconds: Double) {
    var machine = daemon(Quiz.State(), seed: 1)
    func handle(_ event: AuthorityEvent, at second: Int64) {
      let now = Moment(nanoseconds: second * 1_000_000_000)
      machine.handle(event, at: now, date: Double(second))
      machine.handle(.drained, at: now, date: Double(second))
      // It has to be told, whatever the date is.
      #expect(machine.nextDeadline != nil)
    }
    func send(_ action: Quiz.Action, at second: Int64) {
      handle(.effect(action: action.encoded(), cause: 0), at: second)
    }
    send(.ask(client: nil, admin: false, seconds: seconds, button: 1), at: 1)
    send(.askInDialog(seconds: 5), at: 1)
    for second in Int64(2)...8 { handle(.tick, at: second) }
    #expect(machine.app.state.answers == [3])
    #expect(machine.app.state.alert != nil)
    // Of the next start, too: it is in the journal.
    machine = daemon(machine.app.state, seed: 2)
    handle(.tick, at: 9)
  }

  private func daemon(_ state: Quiz.State, seed: UInt64) -> AuthorityMachine<HostedApp<Quiz>> {
    let epoch = EpochRecord(epoch: Epoch(rawValue: 1), after: .zero)
    return AuthorityMachine(
      app: HostedApp(
        reducer: Quiz(), state: state, views: [], alertPlaces: Quiz.places,
        authorize: { _, origin in origin != nil }, report: { Issue.record("\($0)") }),
      history: RecoveredHistory(
        lineage: Lineage(Bytes16(high: 1, low: 2)), epochs: [epoch], lastRow: 0, commit: .zero,
        oldest: .zero, sessions: SessionTable()),
      durable: false, now: Moment(nanoseconds: 0), seed: seed)
  }

  // MARK: In one process

  @Test("A store answers at the deadline of its clock, once; an answer before that is the only one")
  func inProcess() async throws {
    let clock = StepClock()
    let start = Date(timeIntervalSinceReferenceDate: 0)
    try await withDependencies {
      $0.date = DateGenerator { start + clock.seconds }
      $0.continuousClock = clock
    } operation: {
      let store = Store(initialState: Quiz.State()) { Quiz() }
      let keeping = Task { await store.answerAtDeadlines(of: Quiz.places) }
      store.send(.ask(client: nil, admin: false, seconds: 30, button: nil))
      await clock.waitForSleeper()
      let id = try #require(store.state.alert?.id)
      store.answer(id, button: 0, of: Quiz.places)
      #expect(store.state.answers == [1])
      store.send(.askInDialog(seconds: 60))
      while clock.deadlines != [60] { await Task.yield() }
      clock.advance(to: 31)
      #expect(store.state.answers == [1])
      clock.advance(to: 60)
      while store.state.dialog != nil { await Task.yield() }
      #expect(store.state.answers == [1, 3])
      keeping.cancel()
      await keeping.value
    }
  }
}

/// A clock that a test moves, in seconds.
private final class StepClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Contents {
    var seconds = 0
    var sleepers: [UInt64: (until: Duration, wake: CheckedContinuation<Bool, Never>)] = [:]
    var last: UInt64 = 0
  }
  private let contents = Mutex(Contents())

  var now: Instant { Instant(offset: .seconds(contents.withLock(\.seconds))) }
  var minimumResolution: Duration { .zero }
  var seconds: Double { Double(contents.withLock(\.seconds)) }
  var deadlines: [Int64] {
    contents.withLock { $0.sleepers.values.map(\.until.components.seconds).sorted() }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = contents.withLock { contents in
      contents.last += 1
      return contents.last
    }
    let isDone = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = contents.withLock { contents -> Bool in
          if Task.isCancelled { return true }
          contents.sleepers[id] = (deadline.offset, continuation)
          return false
        }
        if isOver { continuation.resume(returning: false) }
      }
    } onCancel: {
      contents.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume(returning: false)
    }
    if !isDone { throw CancellationError() }
  }

  func waitForSleeper() async { while deadlines.isEmpty { await Task.yield() } }

  func advance(to seconds: Int) {
    let ready = contents.withLock { contents in
      contents.seconds = seconds
      let ready = contents.sleepers.filter { $0.value.until <= .seconds(seconds) }
      for id in ready.keys { contents.sleepers[id] = nil }
      return ready.values.map(\.wake)
    }
    for wake in ready { wake.resume(returning: true) }
  }
}
