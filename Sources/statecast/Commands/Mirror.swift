import JSONText
import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let mirror = Command(
    name: "mirror", usage: "VIEW [PARAMETERS]",
    summary: "print what a mirror holds, its commit and digest, once it has --until COMMIT"
  ) { session in
    try session.expectAtMost(2)
    let view = try session.word(0, "the name of a view")
    let text = session.arguments.options["until"]
    guard let until = UInt64(text ?? "0") else {
      throw ToolFailure.usage("--until takes a commit, not \(text ?? "")")
    }
    try await session.connected { (connection) throws(ToolFailure) in
      // A mirror waits for its daemon; a person is told that there is none.
      _ = try await connection.asked(.stats)
      let parameters = try await session.parameters(of: view, connection)
      session.tellUnheard(on: connection)
      var latest: (value: Value, update: ClientOutput.Update, digest: Digest)?
      var shown = CommitNumber.zero
      var isFresh = false
      for await heard in try session.untilTimeout(
        await connection.signals(of: view, parameters: parameters),
        await connection.commitsShown())
      {
        switch heard {
        case .signal(.value(let value, let update, let digest)): latest = (value, update, digest)
        case .signal(.refused(let failure)): throw ToolFailure(failure)
        case .signal(.stale): isFresh = false
        // A large value may have been pinned a while ago: until now it may be behind.
        case .signal(.fresh): isFresh = true
        case .shown(let commit): shown = commit
        }
        // The view is as of this commit, whenever it changed last.
        guard isFresh, let latest,
          max(latest.update.number, latest.update.commit, shown).rawValue >= until
        else { continue }
        return try session.output.line(
          "\(ValueText.compact(latest.value)) at commit \(latest.update.number), "
            + "digest \(latest.digest)")
      }
      let reached = latest.map { "it is at \($0.update.number)" } ?? "it has no value yet"
      guard text != nil else {
        throw ToolFailure(
          .failure, "the mirror of \(view) is not up to date in time: \(reached)",
          advice: "Give it longer with --timeout.")
      }
      throw ToolFailure(
        .failure, "the mirror of \(view) did not reach commit \(until) in time: \(reached)",
        advice: "Give it longer with --timeout, or name a commit that there is.")
    }
  }
}

/// What a mirror is told.
private enum Heard: Sendable {
  case signal(MirrorSignal)
  /// It shows all up to a commit, which need not have changed it.
  case shown(CommitNumber)
}

extension Session {
  /// The signals and the commits shown, until what `--timeout` allows is over.
  fileprivate func untilTimeout(
    _ signals: AsyncStream<MirrorSignal>, _ commits: AsyncStream<CommitNumber>
  ) throws(ToolFailure) -> AsyncStream<Heard> {
    let patience = try timeout()
    let (stream, continuation) = AsyncStream<Heard>.makeStream()
    let relays = [
      Task {
        for await signal in signals { continuation.yield(.signal(signal)) }
        continuation.finish()
      },
      Task { for await commit in commits { continuation.yield(.shown(commit)) } },
      Task {
        if (try? await Task.sleep(for: patience)) != nil { continuation.finish() }
      },
    ]
    continuation.onTermination = { _ in for relay in relays { relay.cancel() } }
    return stream
  }
}
