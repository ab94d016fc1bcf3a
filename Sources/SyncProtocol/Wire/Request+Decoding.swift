internal import StateModel

extension Request.Body {
  /// Reads the body of a request of this kind. A kind that is not known is `other`, and its body is
  /// only checked to be one item.
  init(kind: ArraySlice<UInt8>, from decoder: inout CBORDecoder) throws(DecodingFailure) {
    switch WireKey(kind) {
    case .some("act"): self = .act(try Act(from: &decoder))
    case .some("alive"): self = .alive(try Alive(from: &decoder))
    case .some("hello"): self = .hello(try Hello(from: &decoder))
    case .some("join"): self = .join(try Join(from: &decoder))
    case .some("leave"): self = .leave(try Self.topics(&decoder))
    case .some("try"): self = .trial(try Self.entry(&decoder))
    case .some("outcome"): self = .outcome(try OutcomeQuery(from: &decoder))
    case .some("snapshot"): self = .snapshot(try Self.topicAndFrom(&decoder).topic)
    case .some("replay"):
      let (topic, from) = try Self.topicAndFrom(&decoder)
      self = .replay(topic, from: from)
    case .some("chunk"):
      let (answer, offset) = try Self.pair(&decoder, "answer", "offset")
      self = .chunk(answer: answer, offset: offset)
    case .some("log"):
      let (from, limit) = try Self.pair(&decoder, "from", "limit")
      self = .log(from: CommitNumber(rawValue: from), limit: limit)
    case .some("call"): self = .call(try Call(from: &decoder))
    case .some("return"): self = .giveBack(try CallReturn(from: &decoder))
    case .some("cancel"): self = .cancel(try Cancelled(from: &decoder))
    case .some("wait"):
      guard case .commit(let commit) = try Cancelled(from: &decoder) else {
        throw DecodingFailure(.missingField, "`commit` is missing")
      }
      self = .wait(commit)
    case .some("bye"): self = try Self.empty(.bye, &decoder)
    case .some("views"): self = try Self.empty(.views, &decoder)
    case .some("schema"): self = try Self.empty(.schema, &decoder)
    case .some("sessions"): self = try Self.empty(.sessions, &decoder)
    case .some("stats"): self = try Self.empty(.stats, &decoder)
    case .some("stop"): self = try Self.empty(.stop, &decoder)
    default:
      self = try Self.empty(.other(kind: String(decoding: kind, as: UTF8.self)), &decoder)
    }
  }

  private static func empty(
    _ body: Request.Body, _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Request.Body {
    try decoder.skip()
    return body
  }

  private static func pair(
    _ decoder: inout CBORDecoder, _ first: WireKey, _ second: WireKey
  ) throws(DecodingFailure) -> (UInt64, UInt64) {
    var one: UInt64 = 0
    var two: UInt64 = 0
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      if key == first {
        one = try decoder.unsigned()
      } else if key == second {
        two = try decoder.unsigned()
      } else {
        return false
      }
      return true
    }
    return (one, two)
  }

  private static func topics(_ decoder: inout CBORDecoder) throws(DecodingFailure) -> [Topic] {
    var topics: [Topic] = []
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      guard key == "topics" else { return false }
      topics = try decoder.list { (decoder) throws(DecodingFailure) in try decoder.topic() }
      return true
    }
    return topics
  }

  private static func topicAndFrom(
    _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> (topic: Topic, from: CommitNumber) {
    var topic: Topic?
    var from = CommitNumber.zero
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      switch key {
      case "topic": topic = try decoder.topic()
      case "from": from = try decoder.commit()
      default: return false
      }
      return true
    }
    guard let topic else { throw DecodingFailure(.missingField, "`topic` is missing") }
    return (topic, from)
  }

  private static func entry(_ decoder: inout CBORDecoder) throws(DecodingFailure) -> Entry {
    var entry: Entry?
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      guard key == "entry" else { return false }
      let count = try decoder.array()
      entry = try Entry(from: &decoder, elements: count)
      return true
    }
    guard let entry else { throw DecodingFailure(.missingField, "`entry` is missing") }
    return entry
  }
}

extension Act {
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self.init(base: .zero, entries: [])
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      switch key {
      case "base": base = try decoder.commit()
      case "acked": acked = try decoder.unsigned()
      case "atomic": atomic = try decoder.bool()
      case "entries":
        entries = try decoder.list { (decoder) throws(DecodingFailure) in
          let count = try decoder.array()
          let number = try decoder.unsigned()
          return Numbered(number: number, entry: try Entry(from: &decoder, elements: count - 1))
        }
      default: return false
      }
      return true
    }
  }
}

extension Entry {
  /// Reads an entry of `elements` elements; the head of the array around it has been read.
  init(from decoder: inout CBORDecoder, elements: Int) throws(DecodingFailure) {
    guard elements >= 1 else { throw DecodingFailure(.wrongType, "an entry has a kind") }
    let name = try decoder.textBytes()
    var left = elements - 1
    func need(_ count: Int) throws(DecodingFailure) {
      guard left >= count else {
        throw DecodingFailure(.wrongType, "an entry has too few elements for its kind")
      }
      left -= count
    }
    switch WireKey(name) {
    case .some("do"):
      try need(1)
      self.init(.perform(action: Array(try decoder.item())))
    case .some("set"):
      try need(2)
      let field = try decoder.text()
      self.init(.set(field: field, value: Array(try decoder.item())))
    case .some("answer"):
      try need(2)
      let alert = Array(try decoder.item())
      let button = try decoder.optional { (decoder) throws(DecodingFailure) in
        try decoder.unsigned()
      }
      self.init(.answer(alert: alert, button: button))
    case .some("offer"):
      try need(1)
      self.init(.offer(name: try decoder.text()))
    case .some("withdraw"):
      try need(1)
      self.init(.withdraw(name: try decoder.text()))
    default:
      self.init(.other(kind: String(decoding: name, as: UTF8.self)))
      for _ in 0..<left { try decoder.skip() }
      return
    }
    if left > 0 {
      left -= 1
      try readOptions(&decoder)
    }
    guard left == 0 else {
      throw DecodingFailure(.wrongType, "an entry has too many elements for its kind")
    }
  }

  private mutating func readOptions(_ decoder: inout CBORDecoder) throws(DecodingFailure) {
    var last: ArraySlice<UInt8>?
    for _ in 0..<(try decoder.map()) {
      let key = try decoder.textBytes()
      if let last,
        last.count > key.count || !(last.count < key.count || last.lexicographicallyPrecedes(key))
      {
        throw DecodingFailure(.notDeterministic, "the options of an entry are not in order")
      }
      last = key
      if key.elementsEqual("expect".utf8) {
        expectations = try decoder.list { (decoder) throws(DecodingFailure) in
          try decoder.array(of: 2, "an expectation")
          let path = try decoder.path()
          return Expectation(path: path, digest: try decoder.digest())
        }
      } else if key.elementsEqual("if-commit".utf8) {
        ifCommit = try decoder.commit()
      } else {
        // Unlike a body's key: an option that is not understood must not be left unheeded.
        throw DecodingFailure(
          .unknownCase, "no option of an entry is called `\(String(decoding: key, as: UTF8.self))`")
      }
    }
  }
}

extension Hello {
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self.init()
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      switch key {
      case "base":
        base = try decoder.optional { (decoder) throws(DecodingFailure) in try decoder.commit() }
      case "seen":
        seen = try decoder.optional { (decoder) throws(DecodingFailure) in
          try decoder.array(of: 3, "`seen`")
          let lineage = try decoder.lineage()
          let epoch = try decoder.epoch()
          return Seen(lineage: lineage, epoch: epoch, durable: try decoder.commit())
        }
      case "acked": acked = try decoder.unsigned()
      case "views": views = try decoder.views()
      case "name": name = try decoder.text()
      case "present": present = try decoder.bool()
      case "doorbell": doorbell = try decoder.doorbell()
      case "protocol":
        try decoder.array(of: 2, "`protocol`")
        let least = try decoder.unsigned()
        let greatest = try decoder.unsigned()
        guard least <= greatest else {
          throw DecodingFailure(.outOfRange, "`protocol` is [oldest, newest]")
        }
        versions = least...greatest
      default: return false
      }
      return true
    }
  }
}

extension Join {
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self.init(doorbell: nil, views: [])
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      switch key {
      case "views": views = try decoder.views()
      case "doorbell": doorbell = try decoder.doorbell()
      default: return false
      }
      return true
    }
  }
}

extension OutcomeQuery {
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self.init(base: .zero, numbers: [])
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      switch key {
      case "base": base = try decoder.commit()
      case "acked": acked = try decoder.unsigned()
      case "numbers":
        numbers = try decoder.list { (decoder) throws(DecodingFailure) in try decoder.unsigned() }
      default: return false
      }
      return true
    }
  }
}

extension Alive {
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self.init()
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      switch key {
      case "mail": mail = try decoder.unsigned()
      case "numbers": numbers = try decoder.numbers()
      default: return false
      }
      return true
    }
  }
}

extension CBORDecoder {
  mutating func doorbell() throws(DecodingFailure) -> Nonce? {
    try optional { (decoder) throws(DecodingFailure) in Nonce(try decoder.bytes16()) }
  }

  mutating func views() throws(DecodingFailure) -> [ViewRequest] {
    try list { (decoder) throws(DecodingFailure) in
      try decoder.array(of: 4, "a view")
      var view = ViewRequest(name: try decoder.text(), parameters: Array(try decoder.item()))
      view.schemaHash = try decoder.optional { (decoder) throws(DecodingFailure) in
        try decoder.unsigned()
      }
      view.position = try decoder.optional { (decoder) throws(DecodingFailure) in
        try decoder.array(of: 4, "a position")
        let lineage = try decoder.lineage()
        let epoch = try decoder.epoch()
        let number = try decoder.commit()
        return Position(
          lineage: lineage, epoch: epoch, number: number, digestValue: try decoder.unsigned())
      }
      return view
    }
  }

  /// Pairs of topic and number; a topic that stands twice is refused.
  mutating func numbers() throws(DecodingFailure) -> [Topic: CommitNumber] {
    var numbers: [Topic: CommitNumber] = [:]
    for _ in 0..<(try array()) {
      try array(of: 2, "a topic with its number")
      let topic = try topic()
      guard numbers.updateValue(try commit(), forKey: topic) == nil else {
        throw DecodingFailure(.notDeterministic, "a topic stands twice")
      }
    }
    return numbers
  }
}
