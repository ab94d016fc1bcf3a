import Testing

@testable import ZeroMQ

/// When a loop steps aside before it sleeps.
@Suite("Courtesy")
struct CourtesyTests {
  @Test("A loop steps aside as long as that is short")
  func short() {
    var courtesy = Courtesy()
    #expect(courtesy.isDue(at: 0))
    courtesy.took(from: 0, to: Courtesy.tooLong)
    #expect(courtesy.isDue(at: Courtesy.tooLong))
  }

  @Test("A loop that was kept waiting does not step aside for a while, and then tries again")
  func long() {
    var courtesy = Courtesy()
    let end = Courtesy.tooLong + 1
    courtesy.took(from: 0, to: end)
    #expect(!courtesy.isDue(at: end))
    #expect(!courtesy.isDue(at: end + Courtesy.pause - 1))
    #expect(courtesy.isDue(at: end + Courtesy.pause))
  }
}
