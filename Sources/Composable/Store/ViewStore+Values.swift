extension ViewStore where ViewState: Sendable {
  /// The present value at once, then every one that differs.
  ///
  /// Each iteration keeps what it has not taken yet: a consumer that stops taking should end.
  public var values: Values { Values(viewStore: self) }

  /// The values of a view store, one after the other.
  public struct Values: AsyncSequence {
    /// What it gives.
    public typealias Element = ViewState

    let viewStore: ViewStore

    /// Starts with the present value.
    public func makeAsyncIterator() -> Iterator {
      let (stream, continuation) = AsyncStream<ViewState>.makeStream()
      let observation = viewStore.observe { continuation.yield($0) }
      return Iterator(observation: observation, base: stream.makeAsyncIterator())
    }

    /// Takes the values one by one; its end ends the observation.
    public struct Iterator: AsyncIteratorProtocol {
      let observation: Observation
      var base: AsyncStream<ViewState>.Iterator

      /// The next value.
      public mutating func next() async -> ViewState? { await next(isolation: #isolation) }

      /// The next value.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async -> ViewState? {
        await base.next(isolation: actor)
      }
    }
  }
}
