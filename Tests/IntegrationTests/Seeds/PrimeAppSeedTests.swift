import Composable
import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import Testing

extension Spawned {
  @Suite("Fourth seed, between processes")
  @MainActor
  struct PrimeAppSeedTests {
    @Test(
      "Rules 1 to 4 and 9: two clients count and keep favourites; feed and favourites survive a kill"
    )
    func together() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "primes"])
      let counting = try await daemon.testStore(
        "seed", of: PrimeState.self, action: PrimeAction.self)
      let counter = CounterView(store: counting.store)
      await counting.send(.counter(.incrementTapped)) { $0.count = 1 }
      await counting.send(.counter(.incrementTapped)) { $0.count = 2 }
      #expect(counter.label == "2")
      counter.plus()
      await counting.receive { $0.count = 3 }

      let keeping = try await daemon.testStore(
        "seed", of: PrimeState.self, action: PrimeAction.self)
      keeping.exhaustivity = .off
      await keeping.send(.primeModal(.saveFavoritePrimeTapped)) { $0.favoritePrimes = [3] }
      await counting.receive(until: { $0.favoritePrimes == [3] })
      #expect(counting.state.activityFeed.map(\.type) == [.addedFavoritePrime(3)])

      let again = try await daemon.restart()
      let favorites = FavoritePrimesView(store: keeping.store)
      favorites.delete(at: [0])
      await keeping.receive(until: { $0.favoritePrimes.isEmpty })
      #expect(
        keeping.state.activityFeed.map(\.type) == [
          .addedFavoritePrime(3), .removedFavoritePrime(3),
        ])
      await counting.receive(until: { $0.favoritePrimes.isEmpty })
      #expect(await again.stop() == .exited(0), "\(again.log)")
    }
  }
}
