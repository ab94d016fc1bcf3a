internal import Journal
internal import SyncProtocol

extension Configuration {
  /// Members that are each allowed and not so together.
  struct Contradiction: Equatable {
    /// The flags of the options that it is between.
    var options: [String]
    var text: String
  }

  /// What would make the daemon refuse what it invites, or wait for what never comes.
  var contradictions: [Contradiction] {
    [
      sameEndpoint,
      notMore("--limits-request", limits.request, "--limits-frame", limits.frame),
      notMore("--limits-answer", limits.answer, "--limits-frame", limits.frame),
      notMore("--limits-publication", limits.publication, "--limits-frame", limits.frame),
      notMore("--limits-chunk", limits.chunk, "--limits-answer", limits.answer),
      notMore("--limits-request", limits.request, "--limits-in-flight", limits.inFlight),
      notMore("--limits-request", limits.request, "--limits-batch-bytes", limits.batchBytes),
      notMore("--limits-kept-per-view", limits.keptPerView, "--limits-kept", limits.kept),
      notMore("--timing-busy-beat", timing.busyBeat, "--timing-idle-beat", timing.idleBeat),
      notMore("--timing-idle-beat", timing.idleBeat, "--timing-link-lost", timing.linkLost),
      notMore("--timing-retry", timing.retry, "--timing-longest-retry", timing.longestRetry),
      notMore(
        "--timing-view-beat-first", timing.viewBeatFirst, "--timing-view-beat-longest",
        timing.viewBeatLongest),
      notMore(
        "--journal-checkpoint-frames", journal.checkpointFrames, "--journal-longest-log-frames",
        journal.longestLogFrames),
    ].compactMap { $0 }
  }

  /// Two sockets cannot be at one place.
  private var sameEndpoint: Contradiction? {
    let isAny = requests.hasSuffix(":*") || requests.hasSuffix(":0")
    guard !requests.isEmpty, requests == publications, !isAny else { return nil }
    return Contradiction(
      options: ["--requests", "--publications"],
      text: "requests and publications are both \(requests); give each an endpoint of its own")
  }

  private func notMore<Value: Comparable>(
    _ flag: String, _ value: Value, _ boundFlag: String, _ bound: Value
  ) -> Contradiction? {
    guard value > bound else { return nil }
    let options = [flag, boundFlag].compactMap { flag in
      OptionTable.options.first { $0.flag == flag }
    }
    let words = options.map { "\($0.name) in [\($0.section)] (\($0.text(self)))" }
    return Contradiction(
      options: [flag, boundFlag],
      text: "\(words.joined(separator: " may not be more than ")); change one of them")
  }
}
