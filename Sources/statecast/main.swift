import StateModel
import StatecastClient
import ZeroMQ

@Mirrored struct CounterState {
  var count = 0
}
@Mirrored enum CounterAction {
  case increment
  case decrement
}

@MainActor func run() async throws {
  let folder = CommandLine.arguments[1]
  let connection = try await DaemonConnection(
    DaemonConnection.Options(endpoints: DaemonEndpoints(folder: folder)))
  let store = try await connection.store(
    "counter", of: CounterState.self, action: CounterAction.self)
  print("synced", store.count)
  if CommandLine.arguments.count > 2 {
    let clock = ContinuousClock()
    for _ in 0..<5 {
      let start = clock.now
      let receipt = try await store.perform(.increment, until: .mirrored)
      print(receipt, store.count, clock.now - start)
    }
  } else {
    for await value in store.values { print("value", value.count) }
  }
  await connection.close()
}
try await run()
