internal import StateModel

extension Request.Body {
  /// The kind's name in the header.
  package var kind: String {
    switch self {
    case .hello: "hello"
    case .join: "join"
    case .leave: "leave"
    case .act: "act"
    case .trial: "try"
    case .outcome: "outcome"
    case .snapshot: "snapshot"
    case .replay: "replay"
    case .chunk: "chunk"
    case .alive: "alive"
    case .call: "call"
    case .giveBack: "return"
    case .cancel: "cancel"
    case .wait: "wait"
    case .bye: "bye"
    case .views: "views"
    case .schema: "schema"
    case .sessions: "sessions"
    case .stats: "stats"
    case .log: "log"
    case .stop: "stop"
    case .other(let kind): kind
    }
  }

  /// Writes the body; the keys are those of `RequestCodec`'s table.
  func encode(to encoder: inout CBOREncoder) {
    switch self {
    case .hello(let hello): hello.encode(to: &encoder)
    case .join(let join):
      encoder.map(join.doorbell == nil ? 1 : 2)
      encoder.text("views")
      encoder.views(join.views)
      if let doorbell = join.doorbell {
        encoder.text("doorbell")
        encoder.bytes16(doorbell.bytes)
      }
    case .leave(let topics):
      encoder.map(1)
      encoder.text("topics")
      encoder.array(topics.count)
      for topic in topics { encoder.topic(topic) }
    case .act(let act): act.encode(to: &encoder)
    case .trial(let entry):
      encoder.map(1)
      encoder.text("entry")
      encoder.array(entry.elementCount)
      entry.encodeElements(to: &encoder)
    case .outcome(let query):
      encoder.map(3)
      encoder.text("base")
      encoder.commit(query.base)
      encoder.text("acked")
      encoder.unsigned(query.acked)
      encoder.text("numbers")
      encoder.array(query.numbers.count)
      for number in query.numbers { encoder.unsigned(number) }
    case .snapshot(let topic):
      encoder.map(1)
      encoder.text("topic")
      encoder.topic(topic)
    case .replay(let topic, let from):
      encoder.map(2)
      encoder.text("from")
      encoder.commit(from)
      encoder.text("topic")
      encoder.topic(topic)
    case .chunk(let answer, let offset):
      encoder.map(2)
      encoder.text("answer")
      encoder.unsigned(answer)
      encoder.text("offset")
      encoder.unsigned(offset)
    case .alive(let alive):
      encoder.map(2)
      encoder.text("mail")
      encoder.unsigned(alive.mail)
      encoder.text("numbers")
      encoder.numbers(alive.numbers)
    case .call(let call): call.encode(to: &encoder)
    case .giveBack(let back): back.encode(to: &encoder)
    case .cancel(.call(let id)):
      encoder.map(1)
      encoder.text("call")
      encoder.unsigned(id)
    case .cancel(.commit(let commit)), .wait(let commit):
      encoder.map(1)
      encoder.text("commit")
      encoder.commit(commit)
    case .log(let from, let limit):
      encoder.map(2)
      encoder.text("from")
      encoder.commit(from)
      encoder.text("limit")
      encoder.unsigned(limit)
    case .bye, .views, .schema, .sessions, .stats, .stop, .other: encoder.map(0)
    }
  }
}

extension Hello {
  func encode(to encoder: inout CBOREncoder) {
    encoder.map(
      4 + (base == nil ? 0 : 1) + (seen == nil ? 0 : 1) + (doorbell == nil ? 0 : 1)
        + (name.isEmpty ? 0 : 1))
    if let base {
      encoder.text("base")
      encoder.commit(base)
    }
    if !name.isEmpty {
      encoder.text("name")
      encoder.text(name)
    }
    if let seen {
      encoder.text("seen")
      encoder.array(3)
      encoder.lineage(seen.lineage)
      encoder.epoch(seen.epoch)
      encoder.commit(seen.durable)
    }
    encoder.text("acked")
    encoder.unsigned(acked)
    encoder.text("views")
    encoder.views(views)
    encoder.text("present")
    encoder.bool(present)
    if let doorbell {
      encoder.text("doorbell")
      encoder.bytes16(doorbell.bytes)
    }
    encoder.text("protocol")
    encoder.array(2)
    encoder.unsigned(versions.lowerBound)
    encoder.unsigned(versions.upperBound)
  }
}

extension Act {
  func encode(to encoder: inout CBOREncoder) {
    encoder.map(atomic ? 4 : 3)
    encoder.text("base")
    encoder.commit(base)
    encoder.text("acked")
    encoder.unsigned(acked)
    if atomic {
      encoder.text("atomic")
      encoder.bool(true)
    }
    encoder.text("entries")
    encoder.array(entries.count)
    for numbered in entries {
      encoder.array(1 + numbered.entry.elementCount)
      encoder.unsigned(numbered.number)
      numbered.entry.encodeElements(to: &encoder)
    }
  }
}

extension Entry {
  private var hasOptions: Bool { !expectations.isEmpty || ifCommit != nil }

  /// How many elements `encodeElements` writes.
  var elementCount: Int {
    let parts =
      switch kind {
      case .perform, .offer, .withdraw: 2
      case .set, .answer: 3
      case .other: 1
      }
    return parts + (hasOptions ? 1 : 0)
  }

  /// Writes the entry without the array around it. Two entries that write the same bytes are the
  /// same entry: the payload hash is of these.
  func encodeElements(to encoder: inout CBOREncoder) {
    switch kind {
    case .perform(let action):
      encoder.text("do")
      encoder.encoded(action)
    case .set(let field, let value):
      encoder.text("set")
      encoder.text(field)
      encoder.encoded(value)
    case .answer(let alert, let button):
      encoder.text("answer")
      encoder.encoded(alert)
      encoder.optional(button) { $1.unsigned($0) }
    case .offer(let name):
      encoder.text("offer")
      encoder.text(name)
    case .withdraw(let name):
      encoder.text("withdraw")
      encoder.text(name)
    case .other(let kind): encoder.text(kind)
    }
    guard hasOptions else { return }
    encoder.map((expectations.isEmpty ? 0 : 1) + (ifCommit == nil ? 0 : 1))
    if !expectations.isEmpty {
      encoder.text("expect")
      encoder.array(expectations.count)
      for expectation in expectations {
        encoder.array(2)
        encoder.path(expectation.path)
        encoder.unsigned(expectation.digest.rawValue)
      }
    }
    if let ifCommit {
      encoder.text("if-commit")
      encoder.commit(ifCommit)
    }
  }
}

extension CBOREncoder {
  mutating func views(_ views: [ViewRequest]) {
    array(views.count)
    for view in views {
      array(4)
      text(view.name)
      encoded(view.parameters)
      optional(view.schemaHash) { $1.unsigned($0) }
      optional(view.position) { position, encoder in
        encoder.array(4)
        encoder.lineage(position.lineage)
        encoder.epoch(position.epoch)
        encoder.commit(position.number)
        encoder.unsigned(position.digestValue)
      }
    }
  }

  /// Pairs of topic and number, in the order of the topics' bytes.
  mutating func numbers(_ numbers: [Topic: CommitNumber]) {
    array(numbers.count)
    if numbers.count == 1, let (topic, number) = numbers.first {
      pair(topic, number)
      return
    }
    for (topic, number) in numbers.sorted(by: {
      $0.key.bytes.lexicographicallyPrecedes($1.key.bytes)
    }
    ) {
      pair(topic, number)
    }
  }

  private mutating func pair(_ topic: Topic, _ number: CommitNumber) {
    array(2)
    self.topic(topic)
    commit(number)
  }
}
