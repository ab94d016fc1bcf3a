import Journal
import Synchronization
import Testing

@testable import StatecastDaemon

@Suite("A journal that refuses")
struct RefusalNoticeTests {
  @Test("is told to the log once when it begins, and once when it is over")
  func told() {
    final class Lines: Sendable {
      let all = Mutex<[String]>([])
    }
    let lines = Lines()
    let notice = RefusalNotice { line in lines.all.withLock { $0.append(line) } }
    notice.note(.durable)
    for _ in 0..<3 { notice.note(.refused("the disk is full. Try: free space on it")) }
    notice.note(.durable)
    notice.note(.durable)
    notice.note(.refused("another"))
    notice.note(.failed("gone"))
    #expect(
      lines.all.withLock { $0 } == [
        "actions are refused: the disk is full. Try: free space on it",
        "the journal takes actions again", "actions are refused: another",
      ])
  }
}
