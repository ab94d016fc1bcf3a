internal import Glibc
internal import Journal
internal import ZeroMQ

extension DaemonApp where Self: SendableMetatype {
  /// Serves until SIGTERM.
  public static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    var folder = "/tmp/statecast-\(getuid())"
    var memory = false
    var state = ""
    var iterator = arguments.makeIterator()
    while let word = iterator.next() {
      switch word {
      case "--folder": folder = iterator.next() ?? ""
      case "--mode": memory = iterator.next() == "memory"
      case "--state-directory": state = iterator.next() ?? ""
      default: break
      }
    }
    if state.isEmpty { state = folder + "/state" }
    mkdir(folder, 0o700)
    do {
      let host = try await DaemonHost(
        Self(),
        settings: HostSettings(
          endpoints: DaemonEndpoints(folder: folder),
          storage: memory ? .memory : .journal(folder: state, options: JournalOptions()))
      ) { print($0) }
      print("ready: \(host.summary)")
      _ = await host.waitUntilStopped()
    } catch {
      print("Error: \(error)")
      exit(1)
    }
  }
}
