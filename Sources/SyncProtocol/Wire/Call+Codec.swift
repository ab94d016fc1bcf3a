internal import StateModel

// Calls and what they come to, as bodies of requests and as mail.

extension Call {
  func encode(to encoder: inout CBOREncoder) {
    encoder.map(deadline == .zero ? 3 : 4)
    encoder.text("id")
    encoder.unsigned(id)
    encoder.text("handle")
    encoder.array(3)
    encoder.unsigned(handle.owner)
    encoder.unsigned(handle.epoch.rawValue)
    encoder.text(handle.name)
    encoder.text("argument")
    encoder.encoded(argument)
    if deadline != .zero {
      encoder.text("deadline")
      encoder.unsigned(deadline.milliseconds)
    }
  }

  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    var handle: HandleName?
    self.init(
      id: 0, handle: HandleName(owner: 0, epoch: Epoch(rawValue: 0), name: ""), argument: [0xF6],
      deadline: .zero)
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      switch key {
      case "id": id = try decoder.unsigned()
      case "handle":
        try decoder.array(of: 3, "a handle")
        let owner = try decoder.unsigned()
        let epoch = Epoch(rawValue: try decoder.unsigned())
        handle = HandleName(owner: owner, epoch: epoch, name: try decoder.text())
      case "argument": argument = Array(try decoder.item())
      case "deadline": deadline = .milliseconds(Int64(clamping: try decoder.unsigned()))
      default: return false
      }
      return true
    }
    guard let handle else { throw DecodingFailure(.missingField, "`handle` is missing") }
    guard id > 0 else {
      throw DecodingFailure(.missingField, "`id` is missing: calls count from 1")
    }
    self.handle = handle
  }
}

extension CallReturn {
  func encode(to encoder: inout CBOREncoder) {
    encoder.map(5)
    encoder.text("id")
    encoder.unsigned(key.id)
    encoder.text("code")
    encoder.text(end.code.rawValue)
    encoder.text("text")
    encoder.text(end.text)
    encoder.text("caller")
    encoder.unsigned(key.caller)
    encoder.text("result")
    encoder.encoded(end.result)
  }

  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self.init(key: CallKey(caller: 0, id: 0), end: CallEnd(code: .ok))
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      switch key {
      case "id": self.key.id = try decoder.unsigned()
      case "code": end.code = try decoder.code()
      case "text": end.text = try decoder.text()
      case "caller": self.key.caller = try decoder.unsigned()
      case "result": end.result = Array(try decoder.item())
      default: return false
      }
      return true
    }
  }
}

extension Cancelled {
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    var found: Cancelled?
    try decoder.body { (key, decoder) throws(DecodingFailure) in
      switch key {
      case "call": found = .call(try decoder.unsigned())
      case "commit": found = .commit(try decoder.commit())
      default: return false
      }
      return true
    }
    guard let found else {
      throw DecodingFailure(.missingField, "`call` or `commit` is missing")
    }
    self = found
  }
}
