/// Work that an effect does outside of the reducer.
package struct EffectWork<Action: Sendable>: Sendable {
  package var body: @Sendable (Send<Action>) async throws -> Void
  package var recover: (@Sendable (any Error, Send<Action>) async -> Void)?
  package var priority: TaskPriority?
  /// As they were when the effect was made.
  package var dependencies: DependencyValues
  /// Where the effect is written.
  package var origin: SourceLocation

  func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Mapped
  ) -> EffectWork<Mapped> {
    let body = body
    var mapped = EffectWork<Mapped>(
      body: { send in try await body(send.contramap(transform)) }, priority: priority,
      dependencies: dependencies, origin: origin)
    if let recover {
      mapped.recover = { error, send in await recover(error, send.contramap(transform)) }
    }
    return mapped
  }
}

extension Effect {
  /// Work that may send any number of actions, each of which is a commit of its own.
  ///
  /// A `CancellationError` is swallowed; any other error goes to `catch`, or is reported. The
  /// dependencies are those of the moment at which the effect was made, but for date and
  /// randomness: those are constant within a commit only, and live here.
  public static func run(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: String = #fileID, line: UInt = #line
  ) -> Effect {
    Effect(
      .run(
        EffectWork(
          body: operation, recover: handler, priority: priority,
          dependencies: DependencyValues.current.forEffect,
          origin: SourceLocation(fileID: fileID, line: line))))
  }

  /// Work that sends nothing.
  public static func fireAndForget(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Void,
    fileID: String = #fileID, line: UInt = #line
  ) -> Effect {
    run(priority: priority, operation: { _ in try await operation() }, fileID: fileID, line: line)
  }
}
