public import Composable

/// Who works out the counter's questions; a dependency, so that a test decides what is answered and
/// when.
public struct PrimeClient: Sendable {
  private let answer: @Sendable (Counter.Question) async throws -> Counter.Result

  /// A client that answers by `answer`.
  public init(_ answer: @escaping @Sendable (Counter.Question) async throws -> Counter.Result) {
    self.answer = answer
  }

  /// Works out a question.
  public func callAsFunction(_ question: Counter.Question) async throws -> Counter.Result {
    try await answer(question)
  }
}

extension DependencyValues {
  /// Works out what is asked about primes.
  public var primes: PrimeClient {
    get { self[PrimesKey.self] }
    set { self[PrimesKey.self] = newValue }
  }

  private enum PrimesKey: DependencyKey {
    static let liveValue = PrimeClient { question in
      switch question {
      case .isPrime(let number): .verdict(Primes.isPrime(number))
      case .nthPrime(let n): try await Primes.nth(n).map { .number($0) } ?? .failed
      }
    }
  }
}
