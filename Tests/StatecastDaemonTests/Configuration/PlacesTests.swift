import Testing
import ZeroMQ

@testable import StatecastDaemon

@Suite("A daemon's places")
struct PlacesTests {
  private func places(
    _ environment: [String: String], _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> Places {
    var configuration = Configuration()
    change(&configuration)
    return try Places(configuration, name: "statecast", environment: environment, uid: 1000)
  }

  @Test("are the user's own")
  func usual() throws {
    let found = try places(["XDG_RUNTIME_DIR": "/run/user/1000", "HOME": "/home/a"])
    #expect(found.folder == "/run/user/1000/statecast")
    #expect(found.endpoints.requests == "ipc:///run/user/1000/statecast/requests")
    #expect(found.endpoints.publications == "ipc:///run/user/1000/statecast/publications")
    #expect(found.stateDirectory == "/home/a/.local/state/statecast")
    #expect(found.logFile == nil)
    #expect(
      try places(["XDG_STATE_HOME": "/state", "HOME": "/home/a"]).stateDirectory
        == "/state/statecast")
  }

  @Test("are under /tmp where the session has no folder")
  func noRuntimeFolder() throws {
    #expect(try places(["HOME": "/home/a"]).folder == "/tmp/statecast-1000")
    #expect(
      try places(["XDG_RUNTIME_DIR": "relative", "HOME": "/home/a"]).folder
        == "/tmp/statecast-1000")
  }

  @Test("are what the configuration says, with ~ for the user's home")
  func configured() throws {
    let found = try places(["HOME": "/home/a"]) {
      $0.folder = "~/run"
      $0.publications = "tcp://127.0.0.1:7000"
      $0.stateDirectory = "/var/lib/x"
      $0.logFile = "~/x.log"
    }
    #expect(found.folder == "/home/a/run")
    #expect(found.endpoints.requests == "ipc:///home/a/run/requests")
    #expect(found.endpoints.publications == "tcp://127.0.0.1:7000")
    #expect(found.stateDirectory == "/var/lib/x")
    #expect(found.logFile == "/home/a/x.log")
  }

  @Test("need a home for a journal, and none for memory")
  func homeless() throws {
    let expected = HostFailure(
      "there is no place for the journal: neither HOME nor XDG_STATE_HOME is set",
      advice: "Name one with --state-directory, or keep everything in memory with --mode memory.")
    #expect(throws: expected) { try places([:]) }
    #expect(try places([:]) { $0.mode = .memory }.folder == "/tmp/statecast-1000")
    #expect(
      throws: HostFailure(
        "~/x begins with ~, and HOME is not set", advice: "Write the whole path.")
    ) { try places([:]) { $0.folder = "~/x" } }
  }
}
