import Testing

@testable import StatecastDaemon

@Suite("Connections that are turned away")
struct CrowdNoticeTests {
  @Test("are told with the reason, once a minute, with how many there were since")
  func told() {
    let second: Int64 = 1_000_000_000
    var notice = CrowdNotice()
    #expect(notice.line(.init(), limit: 256, now: second) == nil)
    #expect(
      notice.line(.init(thrownOut: 1), limit: 256, now: 2 * second)
        == "turned away: 1 connection above 256, which is the limit of a socket. Try: find out which "
        + "program opens so many, or raise the limit of open files (`ulimit -Hn`, LimitNOFILE=).")
    #expect(notice.line(.init(thrownOut: 50), limit: 256, now: 61 * second) == nil)
    #expect(
      notice.line(.init(thrownOut: 90, refused: 2), limit: 256, now: 62 * second)
        == "turned away: 89 connections above 256, which is the limit of a socket. Try: find out which "
        + "program opens so many, or raise the limit of open files (`ulimit -Hn`, LimitNOFILE=); "
        + "2 connections of users who are not allowed. Try: allow them with --allowed-uids.")
    #expect(notice.line(.init(thrownOut: 90, refused: 2), limit: 256, now: 300 * second) == nil)
  }

  @Test("for subscribing without end are told with how much that is")
  func subscribing() {
    var notice = CrowdNotice()
    #expect(
      notice.line(.init(subscribing: 1), limit: 256, now: 1)
        == "turned away: 1 connection that had made 32768 subscriptions. Try: find out which program "
        + "subscribes without end.")
  }

  @Test("for want of a descriptor are told with what to raise")
  func descriptors() {
    let second: Int64 = 1_000_000_000
    var notice = CrowdNotice()
    #expect(
      notice.line(.init(withoutDescriptor: 3), limit: 256, now: second)
        == "turned away: 3 connections for which no descriptor was left. Try: raise the limit of open "
        + "files (`ulimit -Hn`, LimitNOFILE=).")
    #expect(notice.line(.init(withoutDescriptor: 90), limit: 256, now: 2 * second) == nil)
  }
}
