import Composable
import Foundation
import Showcase
import StateModel
import Testing

@Suite("FavoritePrimes")
struct FavoritePrimesTests {
  private var core = ReducerCore(FavoritePrimes())
  private var state = FavoritePrimes.State(primes: [2, 3, 5, 7])

  private mutating func perform(_ action: FavoritePrimes.Action) -> Rejection? {
    core.perform(action, on: &state).rejection
  }

  @Test("a prime is saved behind the others, one that is a favourite stays where it is")
  mutating func saving() {
    #expect(perform(.save(11)) == nil)
    #expect(perform(.save(3)) == nil)
    #expect(state.primes == [2, 3, 5, 7, 11])
  }

  @Test("several are removed by value: no index shifts under the rest, absent ones do not matter")
  mutating func removing() {
    #expect(perform(.remove([3, 2, 13, 2])) == nil)
    #expect(state.primes == [5, 7])
    #expect(perform(.remove([])) == nil)
    #expect(state.primes == [5, 7])
  }

  @Test("what is no prime is refused")
  mutating func noPrime() {
    #expect(
      perform(.save(9))
        == Rejection(code: "invalid", "9 is no prime: only primes can be favourites"))
    #expect(state.primes == [2, 3, 5, 7])
  }

  @Test("the list is bounded")
  mutating func bounded() {
    state.primes = Array((2...).lazy.filter(Primes.isPrime).prefix(FavoritePrimes.most))
    #expect(
      perform(.save(1_000_003))
        == Rejection("there are 1000 favourites already: remove one first"))
    #expect(perform(.save(2)) == nil)
    #expect(state.primes.count == FavoritePrimes.most)
  }

  @Test("the modal saves and removes the count")
  func modal() {
    var core = ReducerCore(PrimeModal())
    var state = PrimeModal.State(count: 7, favorites: FavoritePrimes.State(primes: [2]))
    #expect(core.perform(.saveFavoritePrimeTapped, on: &state).rejection == nil)
    #expect(core.perform(.saveFavoritePrimeTapped, on: &state).rejection == nil)
    #expect(state.favorites.primes == [2, 7])
    #expect(core.perform(.removeFavoritePrimeTapped, on: &state).rejection == nil)
    #expect(state.favorites.primes == [2])
    state.count = 8
    #expect(core.perform(.saveFavoritePrimeTapped, on: &state).rejection?.code == "invalid")
  }
}
