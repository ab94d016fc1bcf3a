import Composable
import FoundationEssentials
import StateModel
import Testing

@Suite("Rule 13: dependencies", .timeLimit(.minutes(5)))
@MainActor
struct DependencyTests {
  struct Facts: Equatable, Sendable {
    var dates: Set<Date> = []
    var ids: [UUID] = []
    var numbers: [Int] = []
    var origin: UInt64?
    var commit: UInt64 = 0
  }

  struct Feature: Reducer {
    @Dependency(\.date) var date
    @Dependency(\.uuid) var uuid
    @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
    @Dependency(\.origin) var origin
    @Dependency(\.commit) var commit

    func reduce(into state: inout Facts, action: Int) -> Effect<Int> {
      state.dates.insert(date.now)
      state.ids.append(uuid())
      state.numbers.append(withRandomNumberGenerator { Int.random(in: 0...1_000_000, using: &$0) })
      state.origin = origin
      state.commit = commit
      return action > 1 ? .send(action - 1) : .none
    }
  }

  @Test("Rule 13: date and seed are constant within a commit, and replaying gives the same bytes")
  func replay() {
    func run() -> Facts {
      var core = ReducerCore(Feature())
      var state = Facts()
      _ = core.perform(
        3, on: &state, facts: CommitFacts(date: 123.5, seed: 42, origin: 7, commit: 99))
      return state
    }
    let facts = run()
    #expect(facts == run())
    #expect(facts.dates == [Date(timeIntervalSinceReferenceDate: 123.5)])
    #expect(Set(facts.ids).count == 3)
    #expect(Set(facts.numbers).count == 3)
    #expect(facts.origin == 7)
    #expect(facts.commit == 99)
    #expect(facts.ids[0].uuidString == "BDD73226-2FEB-4E95-A8EF-E333B266F103")
  }

  @Test("Rule 13: without a given date the clock is asked once a commit")
  func oneDate() {
    var core = ReducerCore(Feature())
    var state = Facts()
    _ = core.perform(100, on: &state)
    #expect(state.dates.count == 1)
    #expect(Set(state.ids).count == 100)
  }

  @Test("Rule 13: what is set where the store is made wins over the commit's")
  func overrides() async {
    let store = Store(initialState: Facts()) {
      Feature()
    } withDependencies: {
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 1))
      $0.uuid = .incrementing
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(SeededGenerator(seed: 1))
    }
    store.send(2)
    #expect(store.state.dates == [Date(timeIntervalSinceReferenceDate: 1)])
    #expect(
      store.state.ids.map(\.uuidString) == [
        "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
      ])
    #expect(store.state.ids == [UUID(0), UUID(1)])
    #expect(store.state.commit == 1)
  }

  struct Reader: Reducer {
    @Dependency(\.uuid) var uuid
    func reduce(into state: inout [String], action: String) -> Effect<String> {
      state.append("\(action) \(uuid().uuidString.suffix(1))")
      return .none
    }
  }

  private static func id(_ number: UInt8) -> UUIDGenerator {
    .constant(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)))
  }

  @Test("Rule 13: of several overrides the nearest wins")
  func nearest() {
    let store = Store(initialState: [String]()) {
      CombineReducers {
        Reader().dependency(\.uuid, Self.id(2))
        Reader()
      }
      .dependency(\.uuid, Self.id(1))
      Reader()
    } withDependencies: {
      $0.uuid = Self.id(0)
    }
    store.send("x")
    #expect(store.state == ["x 2", "x 1", "x 0"])
  }

  @Test("Rule 13: a task-local override holds for what is sent within it")
  func taskLocal() {
    let store = Store(initialState: [String]()) { Reader() }
    withDependencies {
      $0.uuid = Self.id(5)
    } operation: {
      _ = store.send("x")
    }
    #expect(store.state == ["x 5"])
  }

  @Test("Rule 13: effects capture the dependencies when they are made")
  func captured() async {
    let gate = Gate()
    let store = Store(initialState: [String]()) {
      Reduce<[String], String> { state, action in
        state.append(action)
        guard action == "go" else { return .none }
        return .run { send in
          @Dependency(\.uuid) var uuid
          @Dependency(\.commit) var commit
          try await gate.pass()
          await send("\(uuid().uuidString.suffix(1)) of commit \(commit)")
        }
      }
      .dependency(\.uuid, Self.id(3))
    }
    let task = store.send("go")
    gate.open()
    await task.finish()
    #expect(store.state == ["go", "3 of commit 1"])
  }

  @Test("Rule 13: an effect draws no random numbers from a commit")
  func effectsAreLive() async {
    let ids = Log<UUID>()
    var core = ReducerCore(
      Reduce<Int, Int> { _, _ in
        .run { _ in
          @Dependency(\.uuid) var uuid
          ids.add(uuid())
        }
      })
    let runner = EffectRunner<Int> { _, _ in }
    for cause in 1...2 as ClosedRange<UInt64> {
      var state = 0
      let cascade = core.perform(0, on: &state, facts: CommitFacts(seed: 42))
      await runner.start(cascade.operations, cause: cause)?.finish()
    }
    #expect(Set(ids.all).count == 2)
  }

  @Test(
    "Rule 13: under a test a dependency that is not set is reported by its name",
    arguments: ["date", "uuid", "withRandomNumberGenerator", "speed"])
  func unstubbed(name: String) {
    let reports = Log<String>()
    withDependencies {
      $0.context = .test
      $0.issueReporter = IssueReporter { reports.add($0.message) }
    } operation: {
      let values = DependencyValues.current
      switch name {
      case "date": _ = values.date.now
      case "uuid": _ = values.uuid()
      case "speed": _ = values.speed
      default: _ = values.withRandomNumberGenerator { $0.next() }
      }
    }
    #expect(
      reports.all == [
        """
        @Dependency(\\.\(name)) was used in a test that does not set it. Set it where the store \
        is made: withDependencies: { $0.\(name) = … }.
        """
      ])
  }

  @Test("Rule 13: a dependency of one's own has live, preview and test values")
  func ownDependency() {
    #expect(DependencyValues().speed == 1)
    var values = DependencyValues()
    values.context = .preview
    #expect(values.speed == 2)
    values.speed = 9
    #expect(values.speed == 9)
  }
}

extension DependencyValues {
  private enum SpeedKey: DependencyKey {
    static let liveValue = 1
    static let previewValue = 2
  }

  var speed: Int {
    get { self[SpeedKey.self] }
    set { self[SpeedKey.self] = newValue }
  }
}
