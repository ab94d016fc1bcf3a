internal import StatecastTesting
internal import Synchronization

/// Takes the failures of a store that is to fail.
public final class Failures: Sendable {
  private let taken = Mutex<(failures: [TestFailure], notes: [String])>(([], []))

  /// What the failures say.
  public var messages: [String] { taken.withLock { $0.failures.map(\.message) } }
  /// Where they stand.
  public var lines: [UInt] { taken.withLock { $0.failures.map(\.location.line) } }
  /// What was only shown.
  public var notes: [String] { taken.withLock(\.notes) }

  /// What fails in `work`.
  public static func of(
    isolation: isolated any Actor = #isolation, _ work: () async throws -> Void
  ) async rethrows -> Failures {
    let failures = Failures()
    let reporter = FailureReporter(
      note: { note in failures.taken.withLock { $0.notes.append(note) } },
      { failure in failures.taken.withLock { $0.failures.append(failure) } })
    try await FailureReporter.$current.withValue(reporter) { try await work() }
    return failures
  }
}
