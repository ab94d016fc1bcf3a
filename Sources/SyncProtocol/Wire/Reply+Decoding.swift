internal import StateModel

extension Reply.Body {
  /// Reads any body: which keys it has tells what it is.
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    var fields = ReplyFields()
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      try fields.read(key, &decoder)
    }
    self = try fields.body()
  }
}

/// What has been read of a reply's body so far.
private struct ReplyFields {
  var answer = ActAnswer(outcomes: [])
  var isAct = false
  var numbers: [Topic: CommitNumber]?
  var base: CommitNumber?
  var beat: UInt64 = 0
  var limits = Limits()
  var publicNumber: PublicNumber = 0
  var epochs: [EpochRecord] = []
  var viewAnswers: [ViewAnswer]?
  var whole: Reply.Body?
  var code: Code?
  var text = ""
  var delta: Delta?
  var chunk = Chunk(answer: 0, offset: 0, size: 0, bytes: [])
  var isChunk = false
  var alive = AliveAnswer(commit: .zero, numbers: [:], behind: [], mail: [], helloAgain: false)

  mutating func read(_ key: WireKey, _ decoder: inout CBORDecoder) throws(DecodingFailure) -> Bool {
    switch key {
    case "last": answer.last = try decoder.unsigned()
    case "outcomes":
      isAct = true
      answer.outcomes = try decoder.list { (decoder) throws(DecodingFailure) in
        try Outcome(from: &decoder)
      }
    case "views": try readViews(&decoder)
    case "base": base = try decoder.commit()
    case "beat": beat = try decoder.unsigned()
    case "limits": limits = try Limits(from: &decoder)
    case "public": publicNumber = try decoder.unsigned()
    case "epochs":
      epochs = try decoder.list { (decoder) throws(DecodingFailure) in
        try EpochRecord(from: &decoder)
      }
    case "snapshot": whole = .snapshot(try ViewAnswer(from: &decoder))
    case "replay": whole = .replay(try ViewAnswer(from: &decoder))
    case "value": whole = .value(try Value(from: &decoder))
    case "code": code = try decoder.code()
    case "text": text = try decoder.text()
    case "delta": delta = Delta(bytes: Array(try decoder.byteString()))
    case "bytes":
      isChunk = true
      chunk.bytes = try decoder.byteString()
    case "size": chunk.size = try decoder.unsigned()
    case "answer": chunk.answer = try decoder.unsigned()
    case "offset": chunk.offset = try decoder.unsigned()
    case "mail":
      alive.mail = try decoder.list { (decoder) throws(DecodingFailure) in try Mail(from: &decoder)
      }
    case "again": alive.helloAgain = try decoder.bool()
    case "behind":
      alive.behind = try decoder.list { (decoder) throws(DecodingFailure) in try decoder.topic() }
    case "commit": alive.commit = try decoder.commit()
    case "numbers": numbers = try decoder.numbers()
    default: return false
    }
    return true
  }

  /// `views` are answers (hello, join) or topics with numbers (act): the number of elements tells.
  private mutating func readViews(_ decoder: inout CBORDecoder) throws(DecodingFailure) {
    var look = decoder
    if try look.array() > 0, try look.array() == 2 {
      answer.views = try decoder.numbers()
    } else {
      viewAnswers = try decoder.list { (decoder) throws(DecodingFailure) in
        try ViewAnswer(from: &decoder)
      }
    }
  }

  func body() throws(DecodingFailure) -> Reply.Body {
    if isAct { return .act(answer) }
    if let whole { return whole }
    if let base {
      return .hello(
        HelloAnswer(
          base: base, last: answer.last, publicNumber: publicNumber, limits: limits,
          beat: .milliseconds(Int64(clamping: beat)), views: viewAnswers ?? [], epochs: epochs))
    }
    if let viewAnswers { return .join(viewAnswers) }
    if isChunk { return .chunk(chunk) }
    if let numbers {
      var answer = alive
      answer.numbers = numbers
      return .alive(answer)
    }
    if let delta {
      guard let code else { throw DecodingFailure(.missingField, "`code` is missing") }
      return .trial(code: code, text: text, delta: delta)
    }
    return .text(text)
  }
}

extension EpochRecord {
  /// `[epoch, the last commit before it]`.
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    guard try decoder.array() == 2 else {
      throw DecodingFailure(.wrongType, "an epoch has 2 elements")
    }
    self.init(epoch: try decoder.epoch(), after: try decoder.commit())
  }
}

extension Outcome {
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let count = try decoder.array()
    guard count == 3 || count == 5 else {
      throw DecodingFailure(.wrongType, "an outcome has 3 or 5 elements, not \(count)")
    }
    let number = try decoder.unsigned()
    let code = try decoder.code()
    let commit = try decoder.optional { (decoder) throws(DecodingFailure) in try decoder.commit() }
    self.init(number: number, code: code, commit: commit)
    if count == 5 {
      text = try decoder.text()
      path = try decoder.path()
    }
  }
}

extension Mail {
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let count = try decoder.array()
    guard count >= 2 else {
      throw DecodingFailure(.wrongType, "a mail item has a number and a kind")
    }
    let number = try decoder.unsigned()
    let kind = try decoder.textBytes()
    let content: Content
    switch (WireKey(kind), count) {
    case (.some("evicted"), 3): content = .evicted(try decoder.text())
    case (.some("lapsed"), 3): content = .lapsed(try decoder.text())
    case (.some("call"), 7):
      let key = try Self.key(&decoder)
      let name = try decoder.text()
      let deadline = Duration.milliseconds(Int64(clamping: try decoder.unsigned()))
      content = .call(key, name: name, deadline: deadline, argument: Array(try decoder.item()))
    case (.some("cancel"), 4): content = .cancelCall(try Self.key(&decoder))
    case (.some("result"), 6):
      let id = try decoder.unsigned()
      let code = try decoder.code()
      let text = try decoder.text()
      content = .result(
        id, CallEnd(code: code, text: text, result: Array(try decoder.item())))
    case (.some("ended"), 5):
      let commit = try decoder.commit()
      let code = try decoder.code()
      content = .ended(commit, code: code, text: try decoder.text())
    case (nil, 3) where kind.elementsEqual("going-away".utf8):
      content = .goingAway(try decoder.text())
    default:
      // Of a later version: numbered like any other, so that it can be acknowledged.
      for _ in 2..<count { try decoder.skip() }
      content = .other(kind: String(decoding: kind, as: UTF8.self))
    }
    self.init(number: number, content: content)
  }

  private static func key(_ decoder: inout CBORDecoder) throws(DecodingFailure) -> CallKey {
    let caller = try decoder.unsigned()
    return CallKey(caller: caller, id: try decoder.unsigned())
  }
}

extension ViewAnswer {
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let count = try decoder.array()
    let topic = try decoder.topic()
    let number = try decoder.commit()
    let digest = try decoder.digest()
    let kind = try decoder.textBytes()
    let content: Content
    switch (WireKey(kind), count) {
    case (.some("resume"), 5):
      content = .resume(
        try decoder.list { (decoder) throws(DecodingFailure) in
          Delta(bytes: Array(try decoder.byteString()))
        })
    case (.some("snapshot"), 6):
      let value = Array(try decoder.byteString())
      content = .snapshot(value: value, reason: try decoder.text())
    case (.some("pull"), 7):
      let answer = try decoder.unsigned()
      let size = try decoder.unsigned()
      content = .pull(answer: answer, size: size, reason: try decoder.text())
    case (.some("refused"), 6):
      let code = try decoder.code()
      content = .refused(code: code, text: try decoder.text())
    default:
      throw DecodingFailure(
        .unknownCase,
        "no answer for a view is `\(String(decoding: kind, as: UTF8.self))` with \(count) elements")
    }
    self.init(topic: topic, number: number, digest: digest, content: content)
  }
}
