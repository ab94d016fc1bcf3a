import JSONText
import StateModel
import StatecastClient
import SyncProtocol
import ZeroMQ

extension Command {
  static let watch = Command(
    name: "watch", usage: "VIEW [PARAMETERS]",
    summary: "print a view's value, then every change (--json: a JSON object a line)",
    details: """
      With --json, or when piped, every line is an object:
        {"sync": N, "digest": D, "value": V}      the value, as of commit N
        {"number": N, "origin": C, "patch": P}    commit N, sent by client C (null: the daemon),
                                                  changed it: a JSON Patch (RFC 6902), or "value"
        {"stale": REASON}, {"fresh": N}           the daemon is lost; it is found again
      """
  ) { session in
    try session.expectAtMost(2)
    let view = try session.word(0, "the name of a view")
    let isJSON = session.arguments.flags.contains("json") || !session.output.isTerminal
    let limit = try session.count()
    try await session.connected { (connection) throws(ToolFailure) in
      // A mirror waits for its daemon; a person is told that there is none.
      _ = try await connection.asked(.stats)
      let parameters = try await session.parameters(of: view, connection)
      session.tellUnheard(on: connection)
      var printer = WatchPrinter(view: view, isJSON: isJSON, output: session.output)
      var left = limit
      for await signal in session.untilReaderLeaves(
        await connection.signals(of: view, parameters: parameters))
      {
        if try printer.show(signal) { left -= 1 }
        if left == 0 { return }
      }
    }
  }
}

extension Session {
  /// The signals, until whoever reads standard output is gone: without that a watch of a state that
  /// rests would not notice that its `head` has left.
  fileprivate func untilReaderLeaves(
    _ signals: AsyncStream<MirrorSignal>
  ) -> AsyncStream<MirrorSignal> {
    let (stream, continuation) = AsyncStream<MirrorSignal>.makeStream()
    let relay = Task {
      for await signal in signals { continuation.yield(signal) }
      continuation.finish()
    }
    continuation.onTermination = { _ in relay.cancel() }
    output.whenReaderLeaves { continuation.finish() }
    return stream
  }
}

extension Session {
  /// Says on standard error, also where the output is for scripts, that requests are answered and
  /// publications do not arrive: without them nothing would ever be printed.
  func tellUnheard(on connection: DaemonConnection) {
    let (output, advice) = (output, endpoints.whatToCheck)
    Task {
      for await case .unheard(let reason) in connection.noticeStream {
        output.note("-- \(reason.prefix(1).uppercased() + reason.dropFirst()).\nTry: \(advice)")
      }
    }
  }

  /// After how many lines to end; the largest number for never.
  func count() throws(ToolFailure) -> Int {
    guard let text = arguments.options["count"] else { return .max }
    guard let count = Int(text), count > 0 else {
      throw .usage("--count takes a number above 0, not \(text)")
    }
    return count
  }
}

/// Prints what a mirror goes through: in sync, changed, stale.
struct WatchPrinter {
  let view: String
  let isJSON: Bool
  let output: Output
  private var value: Value?
  private var wasStale = false

  init(view: String, isJSON: Bool, output: Output) {
    self.view = view
    self.isJSON = isJSON
    self.output = output
  }

  /// Prints a signal; whether it was a line of data.
  mutating func show(_ signal: MirrorSignal) throws(ToolFailure) -> Bool {
    switch signal {
    case .value(let new, let update, let digest):
      defer { value = new }
      if let old = value, old.isIdentical(to: new) { return false }
      if let old = value { try change(old, new, update) } else { try sync(new, update, digest) }
      return true
    case .stale(let reason):
      wasStale = true
      if isJSON {
        try output.line(JSONText.display(.map(["stale": .text(reason)])))
      } else {
        output.note("-- \(view) is stale: \(reason)")
      }
    case .fresh(let number):
      guard wasStale else { return false }
      wasStale = false
      if isJSON {
        try output.line(JSONText.display(.map(["fresh": .unsigned(number.rawValue)])))
      } else {
        output.note("-- \(view) is in sync at \(number)")
      }
    case .refused(let failure): throw ToolFailure(failure)
    }
    return false
  }

  private func sync(
    _ value: Value, _ update: ClientOutput.Update, _ digest: Digest
  ) throws(ToolFailure) {
    if isJSON {
      try output.line(
        JSONText.display(
          .map([
            "sync": .unsigned(update.number.rawValue), "digest": .text(digest.description),
            "value": value,
          ])))
    } else {
      try output.line(ValueText.pretty(ValueText.readable(value)))
    }
  }

  private func change(
    _ old: Value, _ new: Value, _ update: ClientOutput.Update
  ) throws(ToolFailure) {
    let delta = update.delta ?? new.delta(from: old)
    if isJSON {
      var line: [String: Value] = [
        "number": .unsigned(update.number.rawValue),
        "origin": update.origin.map { .unsigned($0) } ?? .null,
      ]
      if let patch = try? JSONPatch(delta: delta, on: old) {
        line["patch"] = patch.value
      } else {
        line["value"] = new
      }
      try output.line(JSONText.display(.map(line)))
    } else {
      for text in ValueText.changes(delta, from: old, to: new) {
        try output.line("\(update.number)  \(text)")
      }
    }
  }
}
