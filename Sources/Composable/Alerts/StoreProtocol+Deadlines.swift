internal import FoundationEssentials

extension StoreProtocol {
  /// Answers questions that are up when their deadline comes, until the task is cancelled: what a
  /// daemon does by itself. Each is answered once, and not at all when somebody was first.
  ///
  /// Time is that of the `date` and `continuousClock` dependencies.
  public func answerAtDeadlines(
    of places: [AlertPlace<State, Action>], isolation: isolated (any Actor)? = #isolation
  ) async {
    @Dependency(\.date) var date
    @Dependency(\.continuousClock) var clock
    let (bells, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let observation = observe { _ in bell.yield() }
    var alarm: Task<Void, Never>?
    var done: Set<UUID> = []
    bell.yield()
    for await _ in bells {
      alarm?.cancel()
      let due = places.dueAnswers(in: state).first { !done.contains($0.id) }
      guard let due else { continue }
      let seconds = due.deadline.date.timeIntervalSince(date.now)
      guard seconds <= 0 else {
        let clock = clock
        alarm = Task {
          // A wall clock may be set meanwhile, and a duration does not hold what a date does.
          let nap = Swift.min(seconds, 3600)
          if (try? await clock.sleep(for: .seconds(nap))) != nil { bell.yield() }
        }
        continue
      }
      done.insert(due.id)
      answer(due.id, button: due.deadline.button, of: places)
      bell.yield()
    }
    alarm?.cancel()
    observation.cancel()
  }
}
