import Foundation
import Testing
import ZeroMQ

@testable import StatecastDaemon

@Suite("A launch")
struct LaunchTests {
  @Test("takes its folder, refuses a second one there, and leaves no socket behind")
  func whole() async {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      var configuration = Configuration()
      configuration.folder = folder.file("run")
      configuration.stateDirectory = folder.file("state")
      configuration.logFile = folder.file("log")
      let environment = ProcessInfo.processInfo.environment
      let launch = try Launch(
        configuration, notes: ["a note"], name: "statecast", environment: environment)
      guard launch.settings.endpoints.requests == "ipc://\(folder.file("run"))/requests" else {
        exit(1)
      }
      let context = try Context()
      let router = try Socket(.router, in: context)
      let publisher = try Socket(.extendedPublish, in: context)
      try router.bind(launch.settings.endpoints.requests)
      try publisher.bind(launch.settings.endpoints.publications)
      launch.didBind()
      guard launch.alarms().isEmpty else { exit(2) }
      let refusal = failure {
        _ = try Launch(configuration, name: "statecast", environment: environment)
      }
      guard refusal.hasPrefix("a daemon runs here already: process \(getpid()) holds ") else {
        exit(3)
      }

      let loop = try EventLoop(name: "test")
      let (stops, continuation) = AsyncStream<Void>.makeStream()
      loop.perform { launch.watch(on: loop) { continuation.yield() } }
      loop.start()
      kill(getpid(), SIGHUP)
      kill(getpid(), SIGTERM)
      for await _ in stops { break }
      while try !folder.read("log").contains("anew") { await Task.yield() }
      await loop.stop()

      unlink(folder.file("run/requests"))
      unlink(folder.file("run/lock"))
      guard launch.alarms().count == 2 else { exit(4) }
      launch.end()
      router.close()
      publisher.close()
      context.terminate()
      guard try FileManager.default.contentsOfDirectory(atPath: folder.file("run")).isEmpty else {
        exit(5)
      }
      let log = try folder.read("log").split(separator: "\n").map { $0.dropFirst(25) }
      // Two signals that wait come in any order.
      guard log.first == "warning: a note",
        Set(log) == ["warning: a note", "info: log opened anew", "info: stopping"]
      else { exit(6) }
    }
  }

  @Test("locks a socket's path elsewhere, too")
  func elsewhere() async {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      var configuration = Configuration()
      configuration.mode = .memory
      configuration.requests = "ipc://\(folder.file("shared/requests"))"
      configuration.folder = folder.file("one")
      let first = try Launch(configuration, name: "statecast", environment: [:])
      configuration.folder = folder.file("two")
      let refusal = failure { _ = try Launch(configuration, name: "statecast", environment: [:]) }
      guard refusal.contains("holds \(folder.file("shared/requests.lock"))") else { exit(1) }
      extendLifetime(first)
    }
  }
}
