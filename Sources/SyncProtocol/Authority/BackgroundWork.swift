/// What takes longer than a batch may wait, and needs nothing but the values that it holds.
package struct BackgroundWork: Sendable {
  /// The answer that it is for.
  package var answer: UInt64
  /// Does it: for a thread that nobody waits for.
  package var run: @Sendable () -> AuthorityEvent
  /// What comes of it where it cannot be done.
  package var failed: AuthorityEvent
}
