/// Everything that one action started: its effects, and the effects of the actions they sent.
package struct EffectFamily<Action: Sendable>: Sendable {
  private let runner: EffectRunner<Action>
  private let id: UInt64

  init(runner: EffectRunner<Action>, id: UInt64) {
    self.runner = runner
    self.id = id
  }

  /// Waits until everything has ended.
  package func finish() async { await runner.finish(id) }

  /// Cancels everything; what has been sent is still handled, but starts nothing more.
  package func cancel() { runner.cancel(id) }

  /// A task that ends with the family, and cancels it when it is cancelled.
  package var storeTask: StoreTask {
    StoreTask(
      Task {
        await withTaskCancellationHandler {
          await finish()
        } onCancel: {
          cancel()
        }
      })
  }
}
