internal import Glibc
internal import Journal
internal import ZeroMQ

extension DaemonApp where Self: SendableMetatype {
  /// Serves until SIGTERM.
  public static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let folder = arguments.first ?? "/tmp/statecast-\(getuid())"
    let memory = arguments.contains("--memory")
    mkdir(folder, 0o700)
    do {
      let host = try await DaemonHost(
        Self(),
        settings: HostSettings(
          endpoints: DaemonEndpoints(folder: folder),
          storage: memory
            ? .memory : .journal(folder: folder + "/journal", options: JournalOptions()))
      ) { print($0) }
      print("ready: \(host.summary)")
      _ = await host.waitUntilStopped()
    } catch {
      print("Error: \(error)")
      exit(1)
    }
  }
}
