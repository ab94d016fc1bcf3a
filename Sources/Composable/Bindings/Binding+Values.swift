extension Binding where Value: Equatable & Sendable {
  /// The present value at once, then every one that differs: see `observe`.
  public var values: Values { Values(binding: self) }

  /// The values of a binding, one after the other.
  public struct Values: AsyncSequence {
    /// What it gives.
    public typealias Element = Value

    let binding: Binding

    /// Starts with the present value.
    public func makeAsyncIterator() -> Iterator {
      let (stream, continuation) = AsyncStream<Value>.makeStream()
      let observation = binding.observe { continuation.yield($0) }
      return Iterator(observation: observation, base: stream.makeAsyncIterator())
    }

    /// Takes the values one by one; its end ends the observation.
    public struct Iterator: AsyncIteratorProtocol {
      let observation: Observation
      var base: AsyncStream<Value>.Iterator

      /// The next value.
      public mutating func next() async -> Value? { await next(isolation: #isolation) }

      /// The next value.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
        await base.next(isolation: actor)
      }
    }
  }
}
