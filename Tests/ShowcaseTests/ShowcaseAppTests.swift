import Composable
import Foundation
import JSONText
import Showcase
import StateModel
import Testing

@Suite("ShowcaseApp: the features side by side")
struct ShowcaseAppTests {
  private var core = ReducerCore(ShowcaseApp())
  private var state = ShowcaseApp.State()
  private var commit: UInt64 = 0

  @discardableResult
  private mutating func perform(
    _ action: ShowcaseApp.Action, origin: UInt64? = 3
  ) throws -> Rejection? {
    commit += 1
    var working = state
    let cascade = core.perform(
      action, on: &working,
      facts: CommitFacts(date: Double(1_000 + commit), seed: 1, origin: origin, commit: commit))
    #expect(cascade.reports.isEmpty)
    if let rejection = cascade.rejection { return rejection }
    // Every commit is mirrored exactly.
    var mirror = state
    try mirror.apply(working.delta(from: state))
    #expect(mirror.isIdentical(to: working) && mirror.digest == working.digest)
    state = working
    return nil
  }

  private func entry(
    _ id: Int, _ kind: Activity.Kind, commit: Int, origin: UInt64? = 3, user: String? = nil
  ) -> Activity.Entry {
    Activity.Entry(
      id: id, date: Date(timeIntervalSinceReferenceDate: Double(1_000 + commit)), origin: origin,
      user: user, kind: kind)
  }

  @Test("the count is made a favourite and none again, and the feed says when and by whom")
  mutating func primeModal() throws {
    try perform(.counter(.binding(.set(\.$step, 7))))
    try perform(.counter(.incrementButtonTapped))
    try perform(.primeModal(.saveFavoritePrimeTapped), origin: 5)
    #expect(state.favoritePrimes.primes == [7])
    #expect(ShowcaseApp.ViewState(state).isCountFavorite)
    try perform(.primeModal(.removeFavoritePrimeTapped), origin: nil)
    #expect(state.favoritePrimes.primes == [])
    #expect(
      Array(state.activity.entries) == [
        entry(1, .addedFavoritePrime(7), commit: 3, origin: 5),
        entry(2, .removedFavoritePrime(7), commit: 4, origin: nil),
      ])
    #expect(state.counter.count == 7)
  }

  @Test("removing several writes an entry for each that was there, in their order")
  mutating func removingSeveral() throws {
    for prime in [2, 3, 5] { try perform(.favoritePrimes(.save(prime))) }
    try perform(.favoritePrimes(.remove([5, 2, 11])))
    #expect(
      state.activity.entries.suffix(2).map(\.kind)
        == [.removedFavoritePrime(2), .removedFavoritePrime(5)])
  }

  @Test("what changes nothing, and what is refused, is not written down")
  mutating func nothingHappened() throws {
    try perform(.favoritePrimes(.save(2)))
    let before = state
    try perform(.favoritePrimes(.save(2)))
    #expect(try perform(.favoritePrimes(.save(4)))?.code == "invalid")
    try perform(.favoritePrimes(.remove([3])))
    try perform(.counter(.cancelButtonTapped))
    #expect(state.isIdentical(to: before))
  }

  @Test("logging in and out is written down, and the entries in between carry the name")
  mutating func users() throws {
    try perform(.activity(.logIn(Activity.User(id: 1, name: "Ada"))))
    try perform(.favoritePrimes(.save(2)))
    try perform(.activity(.logIn(Activity.User(id: 2, name: "Bob", bio: "b"))))
    try perform(.activity(.logOut))
    try perform(.activity(.logOut))
    #expect(
      Array(state.activity.entries) == [
        entry(1, .loggedIn("Ada"), commit: 1, user: "Ada"),
        entry(2, .addedFavoritePrime(2), commit: 2, user: "Ada"),
        entry(3, .loggedOut("Ada"), commit: 3, user: "Ada"),
        entry(4, .loggedIn("Bob"), commit: 3, user: "Bob"),
        entry(5, .loggedOut("Bob"), commit: 4, user: "Bob"),
      ])
    #expect(state.activity.user == nil)
  }

  @Test("names and bios are bounded")
  mutating func longNames() throws {
    for user in [
      Activity.User(id: 1, name: ""), Activity.User(id: 1, name: String(repeating: "é", count: 33)),
      Activity.User(id: 1, name: "a", bio: String(repeating: "b", count: 1_025)),
    ] {
      #expect(try perform(.activity(.logIn(user)))?.code == "invalid")
    }
    #expect(
      try perform(.activity(.logIn(Activity.User(id: 1, name: ""))))?.text
        == "a name has 1 to 64 bytes and a bio at most 1024, not 0 and 0")
  }

  @Test("the feed keeps the latest hundred, whose numbers go on; it can be cleared")
  mutating func bounded() throws {
    for _ in 0..<60 {
      try perform(.favoritePrimes(.save(2)))
      try perform(.favoritePrimes(.remove([2])))
    }
    #expect(Array(state.activity.entries.ids) == Array(21...120))
    try perform(.activity(.clear))
    try perform(.favoritePrimes(.save(2)))
    #expect(Array(state.activity.entries.ids) == [121])
  }

  @Test("a refused action of one feature leaves the whole app as it was")
  mutating func refusal() throws {
    try perform(.workspace(.load(name: "d", document: ["a": 1])))
    let before = state
    let rejection = try perform(
      .workspace(.patch(path: "/d", operations: [["op": "test", "path": "/a", "value": 2]])))
    #expect(rejection?.code == "conflict")
    #expect(state.isIdentical(to: before))
  }

  @Test(
    "alert and dialog are answered from outside: the button's action and the clearing are one commit",
    arguments: [(1, 1), (2, -1), (0, 0), (nil, 0)] as [(Int?, Int)])
  mutating func answers(button: Int?, count: Int) throws {
    for (tap, isUp) in [
      (Counter.Action.alertButtonTapped, { (state: ShowcaseApp.State) in state.counter.alert?.id }),
      (.confirmationDialogButtonTapped, { $0.counter.confirmationDialog?.id }),
    ] {
      state.counter = Counter.State()
      try perform(.counter(tap))
      let id = try #require(isUp(state))
      let answer = try AlertAnswer(
        to: id, button: button, in: state, of: ShowcaseApp.alertPlaces)
      #expect(core.perform(answer, on: &state).rejection == nil)
      #expect(state.counter.count == count)
      #expect(isUp(state) == nil)
      #expect(throws: AlertAnswer<ShowcaseApp.State, ShowcaseApp.Action>.Refusal.noQuestion) {
        try AlertAnswer(to: id, button: button, in: state, of: ShowcaseApp.alertPlaces)
      }
    }
  }

  @Test("the view of the app shows everything that is small")
  mutating func view() throws {
    try perform(.favoritePrimes(.save(2)))
    try perform(.workspace(.load(name: "d", document: [1, 2, 3])))
    let shown = ShowcaseApp.ViewState(state)
    #expect(shown.favoritePrimes.primes == [2])
    #expect(shown.documentCount == 1)
    #expect(shown.lastActivity?.kind == .addedFavoritePrime(2))
    #expect(try ShowcaseApp.ViewState(encoded: shown.encoded()).isIdentical(to: shown))
  }

  @Test(
    "actions are what people write in JSON",
    arguments: [
      (#"{"counter":"incrementButtonTapped"}"#, .counter(.incrementButtonTapped)),
      (#"{"counter":{"binding":{"step":5}}}"#, .counter(.binding(.set(\.$step, 5)))),
      (#"{"favoritePrimes":{"save":7}}"#, .favoritePrimes(.save(7))),
      (#"{"favoritePrimes":{"remove":[2,3]}}"#, .favoritePrimes(.remove([2, 3]))),
      (#"{"primeModal":"saveFavoritePrimeTapped"}"#, .primeModal(.saveFavoritePrimeTapped)),
      (
        #"{"activity":{"logIn":{"id":1,"name":"Ada"}}}"#,
        .activity(.logIn(Activity.User(id: 1, name: "Ada")))
      ),
      (
        #"{"workspace":{"set":{"path":"/d","value":{"a":[1,null]}}}}"#,
        .workspace(.set(path: "/d", value: ["a": [1, .null]]))
      ),
      (
        #"{"workspace":{"edit":{"path":"/d","offset":1,"removed":0,"inserted":"x"}}}"#,
        .workspace(.edit(path: "/d", offset: 1, removed: 0, inserted: "x"))
      ),
    ] as [(String, ShowcaseApp.Action)])
  func wire(json: String, action: ShowcaseApp.Action) throws {
    #expect(try ShowcaseApp.Action(JSONText.parse(json)) == action)
    #expect(try ShowcaseApp.Action(encoded: action.encoded()) == action)
  }

  @Test("the schema names every state and action")
  func schema() {
    let types = Set(Schema(of: ShowcaseApp.Action.self).types.keys)
    #expect(types.count >= 7)
  }
}

@Suite("ShowcaseApp: effects")
@MainActor
struct ShowcaseAppEffectTests {
  @Test("the app's first action of a run starts again what was running")
  func starting() async {
    var left = ShowcaseApp.State()
    left.counter.count = 5
    left.counter.question = .nthPrime(5)
    let store = Store(initialState: left) { ShowcaseApp() }
    await store.send(.started).finish()
    #expect(
      store.state.counter.answer
        == Counter.Answer(question: .nthPrime(5), result: .number(11)))
  }

  @Test("a question that the app started again can still be given up by the counter")
  func cancelling() async {
    var left = ShowcaseApp.State()
    left.counter.question = .nthPrime(5)
    let store = Store(initialState: left) {
      ShowcaseApp()
    } withDependencies: {
      $0.primes = PrimeClient { _ in
        try await Task.sleep(for: .seconds(3_600))
        return .failed
      }
    }
    let started = store.send(.started)
    store.send(.counter(.cancelButtonTapped))
    await started.finish()
    #expect(store.state.counter.question == nil)
    #expect(store.state.counter.answer == nil)
  }
}
