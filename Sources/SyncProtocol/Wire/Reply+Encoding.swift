internal import StateModel

extension Reply.Body {
  /// What a chunk's body takes beside its bytes, at most.
  private static var besideChunk: Int { 64 }

  /// Writes the body; the keys are those of `ReplyCodec`'s table.
  func encode(to encoder: inout CBOREncoder) {
    switch self {
    case .act(let answer): answer.encode(to: &encoder)
    case .hello(let answer): answer.encode(to: &encoder)
    case .join(let views):
      encoder.map(1)
      encoder.text("views")
      encoder.answers(views)
    case .trial(let code, let text, let delta):
      encoder.map(3)
      encoder.text("code")
      encoder.text(code.rawValue)
      encoder.text("text")
      encoder.text(text)
      encoder.text("delta")
      encoder.byteString(delta.bytes)
    case .snapshot(let view):
      encoder.map(1)
      encoder.text("snapshot")
      view.encode(to: &encoder)
    case .replay(let view):
      encoder.map(1)
      encoder.text("replay")
      view.encode(to: &encoder)
    case .chunk(let chunk):
      encoder.reserve(chunk.bytes.count + Self.besideChunk)
      encoder.map(4)
      encoder.text("size")
      encoder.unsigned(chunk.size)
      encoder.text("bytes")
      encoder.byteString(chunk.bytes)
      encoder.text("answer")
      encoder.unsigned(chunk.answer)
      encoder.text("offset")
      encoder.unsigned(chunk.offset)
    case .alive(let answer): answer.encode(to: &encoder)
    case .value(let value):
      encoder.map(1)
      encoder.text("value")
      value.encode(to: &encoder)
    case .encodedValue(let value):
      encoder.map(1)
      encoder.text("value")
      encoder.encoded(value)
    case .text(let text):
      guard !text.isEmpty else { return encoder.map(0) }
      encoder.map(1)
      encoder.text("text")
      encoder.text(text)
    }
  }
}

extension HelloAnswer {
  func encode(to encoder: inout CBOREncoder) {
    encoder.map(epochs.isEmpty ? 6 : 7)
    encoder.text("base")
    encoder.commit(base)
    encoder.text("beat")
    encoder.unsigned(beat.milliseconds)
    encoder.text("last")
    encoder.unsigned(last)
    encoder.text("views")
    encoder.answers(views)
    if !epochs.isEmpty {
      encoder.text("epochs")
      encoder.array(epochs.count)
      for record in epochs {
        encoder.array(2)
        encoder.epoch(record.epoch)
        encoder.commit(record.after)
      }
    }
    encoder.text("limits")
    let named = Limits.wire
    encoder.map(named.count)
    for limit in named {
      encoder.text(limit.name)
      encoder.unsigned(UInt64(max(0, limits[keyPath: limit.keyPath])))
    }
    encoder.text("public")
    encoder.unsigned(publicNumber)
  }
}

extension ActAnswer {
  func encode(to encoder: inout CBOREncoder) {
    encoder.map(views.isEmpty ? 2 : 3)
    encoder.text("last")
    encoder.unsigned(last)
    if !views.isEmpty {
      encoder.text("views")
      encoder.numbers(views)
    }
    encoder.text("outcomes")
    encoder.array(outcomes.count)
    for outcome in outcomes { outcome.encode(to: &encoder) }
  }
}

extension Outcome {
  func encode(to encoder: inout CBOREncoder) {
    let isBare = text.isEmpty && path.isEmpty
    encoder.array(isBare ? 3 : 5)
    encoder.unsigned(number)
    encoder.text(code.rawValue)
    encoder.optional(commit) { $1.commit($0) }
    guard !isBare else { return }
    encoder.text(text)
    encoder.path(path)
  }
}

extension AliveAnswer {
  func encode(to encoder: inout CBOREncoder) {
    encoder.map((mail.isEmpty ? 0 : 1) + (helloAgain ? 1 : 0) + (behind.isEmpty ? 0 : 1) + 2)
    if !mail.isEmpty {
      encoder.text("mail")
      encoder.array(mail.count)
      for item in mail { item.encode(to: &encoder) }
    }
    if helloAgain {
      encoder.text("again")
      encoder.bool(true)
    }
    if !behind.isEmpty {
      encoder.text("behind")
      encoder.array(behind.count)
      for topic in behind { encoder.topic(topic) }
    }
    encoder.text("commit")
    encoder.commit(commit)
    encoder.text("numbers")
    encoder.numbers(numbers)
  }
}

extension Mail {
  func encode(to encoder: inout CBOREncoder) {
    switch content {
    case .goingAway(let text): encode("going-away", text, to: &encoder)
    case .evicted(let text): encode("evicted", text, to: &encoder)
    case .lapsed(let text): encode("lapsed", text, to: &encoder)
    case .other(let kind): encode(kind, "", to: &encoder)
    case .call(let key, let name, let deadline, let argument):
      begin("call", 7, to: &encoder)
      encoder.unsigned(key.caller)
      encoder.unsigned(key.id)
      encoder.text(name)
      encoder.unsigned(deadline.milliseconds)
      encoder.encoded(argument)
    case .cancelCall(let key):
      begin("cancel", 4, to: &encoder)
      encoder.unsigned(key.caller)
      encoder.unsigned(key.id)
    case .result(let id, let end):
      begin("result", 6, to: &encoder)
      encoder.unsigned(id)
      encoder.text(end.code.rawValue)
      encoder.text(end.text)
      encoder.encoded(end.result)
    case .ended(let commit, let code, let text):
      begin("ended", 5, to: &encoder)
      encoder.commit(commit)
      encoder.text(code.rawValue)
      encoder.text(text)
    }
  }

  private func begin(_ kind: String, _ count: Int, to encoder: inout CBOREncoder) {
    encoder.array(count)
    encoder.unsigned(number)
    encoder.text(kind)
  }

  private func encode(_ kind: String, _ text: String, to encoder: inout CBOREncoder) {
    begin(kind, 3, to: &encoder)
    encoder.text(text)
  }
}

extension ViewAnswer {
  func encode(to encoder: inout CBOREncoder) {
    switch content {
    case .resume: encoder.array(5)
    case .snapshot, .refused: encoder.array(6)
    case .pull: encoder.array(7)
    }
    encoder.topic(topic)
    encoder.commit(number)
    encoder.unsigned(digest.rawValue)
    switch content {
    case .resume(let deltas):
      encoder.text("resume")
      encoder.array(deltas.count)
      for delta in deltas { encoder.byteString(delta.bytes) }
    case .snapshot(let value, let reason):
      encoder.text("snapshot")
      encoder.byteString(value)
      encoder.text(reason)
    case .pull(let answer, let size, let reason):
      encoder.text("pull")
      encoder.unsigned(answer)
      encoder.unsigned(size)
      encoder.text(reason)
    case .refused(let code, let text):
      encoder.text("refused")
      encoder.text(code.rawValue)
      encoder.text(text)
    }
  }
}

extension CBOREncoder {
  mutating func answers(_ views: [ViewAnswer]) {
    array(views.count)
    for view in views { view.encode(to: &self) }
  }
}

extension Duration {
  /// Whole milliseconds; negative durations are zero.
  var milliseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(seconds) &* 1000 &+ UInt64(attoseconds / 1_000_000_000_000_000)
  }
}
