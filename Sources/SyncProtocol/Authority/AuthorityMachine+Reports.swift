internal import StateModel

/// `alive`, and what tells people how the daemon is doing: all from the published state alone.
extension AuthorityMachine {
  mutating func alive(_ alive: Alive, _ request: Request, _ route: Route) {
    let slot = sessions.find(request.session)
    var answer = AliveAnswer(
      commit: published, numbers: [:], behind: [], mail: [], helloAgain: true)
    let beatAgo = now - timing.busyBeat
    for (topic, number) in alive.numbers {
      guard let found = views.find(topic), let view = views[found], view.isPublished else {
        continue
      }
      answer.numbers[topic] = view.number
      if number < view.kept.number(at: beatAgo, now: view.number) { answer.behind.append(topic) }
    }
    answer.behind.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    if let slot {
      answer.helloAgain = !sessions[slot].isAttached
      noteLag(slot, alive)
      sessions[slot].mail.acknowledge(through: alive.mail)
      answer.mail = sessions[slot].mail.head(within: limits.answer)
      sessions[slot].awaited =
        answer.mail.count == sessions[slot].mail.items.count ? 0 : sessions[slot].mail.last
      if faults.contains(.mailUnkept) { sessions[slot].mail.acknowledge(through: .max) }
    }
    send(.alive(answer), to: request.id, route)
    finishFarewell()
  }

  func viewsReport() -> Value {
    .map([
      "live": .array(views.all.map(report)),
      "names": .array(app.viewNames.map { .text($0) }),
    ])
  }

  private func report(_ view: LiveView<App.View>) -> Value {
    .map([
      "kept": .unsigned(UInt64(view.kept.bytes)),
      "live": .bool(view.isLive),
      "name": .text(view.name),
      "topic": .bytes(view.topic.bytes),
      "digest": .unsigned(view.digest.rawValue),
      "number": .unsigned(view.number.rawValue),
    ])
  }

  func sessionsReport() -> Value {
    .array(
      sessions.slots.filter { !$0.isVacant }.map { session in
        .map([
          "last": .unsigned(session.durableLast),
          "acked": .unsigned(session.acked),
          "owner": .text(session.owner),
          "views": .unsigned(UInt64(session.views.count)),
          "away": .bool(session.isAway),
          "since": session.isPresent ? .float(session.presentSince) : .null,
          "behind": lag(of: session).map { .unsigned($0) } ?? .null,
          "name": .text(session.name),
          "handles": .array(session.handles.map { .text($0) }),
          "public": .unsigned(session.publicNumber),
          "silent": .unsigned((now - session.lastHeard).milliseconds),
          "present": .bool(session.isPresent),
          "attached": .bool(session.isAttached),
        ])
      })
  }

  func statisticsReport() -> Value {
    let numbers: [(String, UInt64)] = [
      ("batches", statistics.batches),
      ("calls", statistics.calls),
      ("calls-open", UInt64(calls.count)),
      ("dropped-actions", statistics.droppedActions),
      ("commit", published.rawValue),
      ("evictions", statistics.evictions),
      ("journal-refusals", statistics.journalRefusals),
      ("kept-bytes", UInt64(views.keptBytes)),
      ("live-views", UInt64(views.live.count)),
      ("outcomes", statistics.outcomes),
      ("pinned", UInt64(pins.pins.count)),
      ("publications", statistics.publications),
      ("published-bytes", statistics.publishedBytes),
      ("pulled-bytes", statistics.pulled),
      ("refusals", statistics.refusals),
      ("repeats", statistics.repeats),
      ("requests", statistics.requests),
      ("resumes", statistics.resumes),
      ("sessions", UInt64(sessions.count)),
      ("snapshots", statistics.snapshots),
      ("views", UInt64(views.count)),
    ]
    return .map(Dictionary(uniqueKeysWithValues: numbers.map { ($0.0, Value.unsigned($0.1)) }))
  }

  /// The newest entries from a commit on, rejections among them at the commit before them.
  func logReport(from: CommitNumber, limit: UInt64) -> Value {
    let count = Int(clamping: min(limit, UInt64(limits.logEntries)))
    var bytes = 0
    var entries: [Value] = []
    for item in log.items(from: from, count: count) {
      let entry = item.encodedKind
      bytes += entry.count + item.text.utf8.count + Self.publicationOverhead
      // Answers over the limit would have to be pulled: whoever asks goes on from the last commit.
      guard bytes <= limits.answer else { break }
      entries.append(item.value(entry))
    }
    return .array(entries)
  }
}

extension Moment {
  static func - (moment: Moment, duration: Duration) -> Moment {
    let (seconds, attoseconds) = duration.components
    return Moment(
      nanoseconds: moment.nanoseconds &- seconds &* 1_000_000_000
        &- attoseconds / 1_000_000_000)
  }
}
