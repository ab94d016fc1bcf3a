internal import Foundation
internal import StateModel
internal import StatecastClient
internal import SyncProtocol
internal import Synchronization
internal import ZeroMQ

/// A client in a process of its own, to be killed: it appends rising numbers to a list, and says
/// each one that was acknowledged. Whatever it has said must be in the list, and nothing twice.
package struct TortureClient: Sendable {
  /// Actions that it keeps open: so many more than it has said may be in the list.
  private static let window = 8

  let process: ChildProcess
  let name: String

  init(round: Int, in folder: ScratchFolder) throws {
    name = "client-\(round)"
    process = try ChildProcess(
      Products.path("statecast-bench"), ["torture-client", folder.path, name], name: name,
      in: folder)
  }

  /// What it was told to be done, once it has ended.
  var acknowledged: [Int] {
    // A line that has no end was not said.
    process.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .compactMap { Int($0) }
  }

  /// What is wrong with the list that the daemon has; nil when it is right.
  func complaint(about list: [Int]) -> String? {
    let said = acknowledged
    if Set(list).count < list.count { return "\(name): an action is applied twice: \(list)" }
    let lost = Set(said).subtracting(list)
    if !lost.isEmpty { return "\(name): acknowledged and lost: \(lost.sorted())" }
    guard list.count <= said.count + Self.window else {
      return "\(name): \(list.count) are applied, \(said.count) were acknowledged"
    }
    return nil
  }

  /// The numbers of one child.
  private final class Numbers: Sendable {
    private let last = Atomic<Int>(0)
    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  /// The child's side: until it is killed.
  package static func run(folder: String, name: String) async throws {
    var options = DaemonConnection.Options(endpoints: DaemonEndpoints(folder: folder))
    options.timeout = .seconds(120)
    let connection = try await DaemonConnection(options)
    let numbers = Numbers()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<window {
        group.addTask {
          while true {
            let number = numbers.next()
            _ = try await connection.perform(
              WorkspaceEntry.append("/\(name)", .unsigned(UInt64(number))))
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
