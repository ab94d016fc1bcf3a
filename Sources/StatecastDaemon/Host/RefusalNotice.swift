internal import Journal
internal import Synchronization

/// Tells the log when the journal begins to refuse actions, and when it takes them again: once each,
/// however many are refused in between.
final class RefusalNotice: Sendable {
  private let isRefusing = Mutex(false)
  private let report: @Sendable (String) -> Void

  init(report: @escaping @Sendable (String) -> Void) { self.report = report }

  func note(_ result: AppendResult) {
    switch result {
    case .durable:
      if isRefusing.exchange(false) { report("the journal takes actions again") }
    case .refused(let text):
      if !isRefusing.exchange(true) { report("actions are refused: \(text)") }
    case .failed, .fenced: break
    }
  }
}

extension Mutex where Value == Bool {
  fileprivate borrowing func exchange(_ new: Bool) -> Bool {
    withLock { value in
      defer { value = new }
      return value
    }
  }
}
