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
      sessions[slot].mail.acknowledge(through: alive.mail)
      answer.mail = sessions[slot].mail.items
      sessions[slot].awaited = 0
    }
    send(.alive(answer), to: request.id, route)
    finishFarewell()
  }

  func viewsReport() -> Value {
    .map([
      .init("live", .array(views.all.map(report))),
      .init("names", .array(app.viewNames.map { .text($0) })),
    ])
  }

  private func report(_ view: LiveView<App.View>) -> Value {
    .map([
      .init("kept", .unsigned(UInt64(view.kept.bytes))),
      .init("live", .bool(view.isLive)),
      .init("name", .text(view.name)),
      .init("topic", .bytes(view.topic.bytes)),
      .init("digest", .unsigned(view.digest.rawValue)),
      .init("number", .unsigned(view.number.rawValue)),
    ])
  }

  func sessionsReport() -> Value {
    .array(
      sessions.slots.filter { !$0.isVacant }.map { session in
        .map([
          .init("last", .unsigned(session.durableLast)),
          .init("acked", .unsigned(session.acked)),
          .init("owner", .text(session.owner)),
          .init("views", .unsigned(UInt64(session.views.count))),
          .init("public", .unsigned(session.publicNumber)),
          .init("silent", .unsigned((now - session.lastHeard).milliseconds)),
          .init("present", .bool(session.isPresent)),
          .init("attached", .bool(session.isAttached)),
        ])
      })
  }

  func statisticsReport() -> Value {
    let numbers: [(String, UInt64)] = [
      ("batches", statistics.batches),
      ("commit", published.rawValue),
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
    return .map(
      numbers.map { Value.Entry($0.0, .unsigned($0.1)) }
        .sorted { $0.textKey.isBefore($1.textKey) })
  }

  /// The newest entries from a commit on, rejections among them at the commit before them.
  func logReport(from: CommitNumber, limit: UInt64) -> Value {
    let count = Int(clamping: min(limit, UInt64(limits.logEntries)))
    var bytes = 0
    var entries: [Value] = []
    for item in log.items(from: from, count: count) {
      var action = CBOREncoder()
      item.kind.encode(to: &action)
      bytes += action.bytes.count + item.text.utf8.count + Self.publicationOverhead
      // Answers over the limit would have to be pulled: whoever asks goes on from the last commit.
      guard bytes <= limits.answer else { break }
      entries.append(
        .map([
          .init("code", .text(item.code.rawValue)),
          .init("date", .float(item.date)),
          .init("text", .text(item.text)),
          .init("entry", .bytes(action.bytes)),
          .init("commit", .unsigned(item.commit.rawValue)),
          .init("origin", item.origin.map { .unsigned($0) } ?? .null),
        ]))
    }
    return .array(entries)
  }
}

extension Value.Entry {
  fileprivate init(_ key: String, _ value: Value) { self.init(key: .text(key), value: value) }

  fileprivate var textKey: String {
    if case .text(let text) = key { text } else { "" }
  }
}

extension String {
  /// The order of encoded texts: shorter ones first, then by bytes.
  fileprivate func isBefore(_ other: String) -> Bool {
    (utf8.count, self) < (other.utf8.count, other)
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
