import SyncProtocol
import Testing
import ZeroMQ

@testable import StatecastDaemon

/// Options that no short test of a running daemon would miss, each with a reason of its own.
@Suite("The daemon's sockets")
struct SocketOptionsTests {
  private let settings = HostSettings(endpoints: DaemonEndpoints(folder: "/f"), storage: .memory)

  @Test("Heartbeats only where a peer's input is never stopped: libzmq would abort the process")
  func heartbeats() {
    for options in [
      DaemonSockets.requestOptions(settings, filter: []),
      DaemonSockets.publicationOptions(settings, filter: []),
    ] {
      #expect(options.heartbeatInterval == nil || options.receiveHighWater == 0)
    }
    // They free the memory of a subscriber that is stopped.
    #expect(DaemonSockets.publicationOptions(settings, filter: []).heartbeatInterval != nil)
    // On tcp the kernel asks instead.
    #expect(DaemonSockets.requestOptions(settings, filter: []).keepAlive != nil)
  }

  @Test("What waits of one peer's requests is bounded, in bytes too")
  func waiting() throws {
    let options = DaemonSockets.requestOptions(settings, filter: [7])
    let waiting = try #require(options.receiveHighWater)
    #expect(waiting > 0)
    #expect(Int(waiting) * settings.limits.request <= 128 << 20)
    #expect(options.ipcFilterUIDs == [7])
  }
}
