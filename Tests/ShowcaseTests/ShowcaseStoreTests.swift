import Composable
import FoundationEssentials
import Showcase
import StateModel
import StatecastTesting
import Testing

/// The features that have no effects, and all of them together, action by action.
@Suite("Showcase: what its test stores assert", .timeLimit(.minutes(5)))
@MainActor
struct ShowcaseStoreTests {
  @Test("FavoritePrimes: primes are saved once, removed by value, and nothing else is taken")
  func favoritePrimes() async {
    let store = TestStore(initialState: FavoritePrimes.State(primes: [2, 3])) { FavoritePrimes() }
    await store.send(.save(5)) { $0.primes = [2, 3, 5] }
    await store.send(.save(5))
    await store.send(.remove([3, 2, 3, 99])) { $0.primes = [5] }
    await store.send(
      .save(4),
      rejectedWith: Rejection(code: "invalid", "4 is no prime: only primes can be favourites"))
  }

  @Test("Workspace: every action changes its place, or is refused as a whole")
  func workspace() async {
    let store = TestStore(initialState: Workspace.State()) { Workspace() }
    await store.send(.load(name: "d", document: ["n": 1])) { $0.documents = ["d": ["n": 1]] }
    await store.send(.increment(path: "/d/n", by: 2)) { $0.documents = ["d": ["n": 3]] }
    await store.send(.append(path: "/d/list", value: "x")) {
      $0.documents = ["d": ["n": 3, "list": ["x"]]]
    }
    await store.send(.edit(path: "/d/list/0", offset: 1, removed: 0, inserted: "y")) {
      $0.documents = ["d": ["n": 3, "list": ["xy"]]]
    }
    await store.send(.merge(path: "/d", value: ["list": .null])) { $0.documents = ["d": ["n": 3]] }
    let failing: Value = [
      ["op": "add", "path": "/m", "value": 1], ["op": "test", "path": "/n", "value": 4],
    ]
    await store.send(
      .patch(path: "/d", operations: failing),
      rejectedWith: Rejection(
        code: "conflict", "operation 2 (test): /n is 3, not 4", path: ["d", "n"]))
    await store.send(.remove(path: "/d/n")) { $0.documents = ["d": [:]] }
  }

  @Test("App: the feed says when which prime became a favourite, whose action it was is known")
  func app() async {
    let date = Date(timeIntervalSinceReferenceDate: 1_000)
    let store = TestStore(initialState: ShowcaseApp.State()) {
      ShowcaseApp()
    } withDependencies: {
      $0.date = .constant(date)
    }
    func entry(_ id: Int, _ user: String?, _ kind: Activity.Kind) -> Activity.Entry {
      Activity.Entry(id: id, date: date, origin: nil, user: user, kind: kind)
    }
    let ann = Activity.User(id: 1, name: "Ann")
    await store.send(.activity(.logIn(ann))) {
      $0.activity.user = ann
      $0.activity.entries = [entry(1, "Ann", .loggedIn("Ann"))]
      $0.activity.nextNumber = 2
    }
    await store.send(.favoritePrimes(.save(3))) {
      $0.favoritePrimes.primes = [3]
      $0.activity.entries.append(entry(2, "Ann", .addedFavoritePrime(3)))
      $0.activity.nextNumber = 3
    }
    await store.send(.counter(.incrementButtonTapped)) { $0.counter.count = 1 }
    await store.send(
      .primeModal(.saveFavoritePrimeTapped),
      rejectedWith: Rejection(code: "invalid", "1 is no prime: only primes can be favourites"))
  }
}
