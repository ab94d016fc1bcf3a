import CSimdJSON
import StateModel

/// Builds a `Value` from the tape that simdjson's shim writes; the only file here with pointers.
struct JSONReader {
  private let form: JSONText.Form
  private let depth: Int
  private var tape = statecast_json_tape()
  private var position = 0
  /// The keys and indices of the value that is being read.
  private var path: [Step] = []
  private var source: [UInt8] = []

  private enum Step {
    case member(String)
    case element(Int)
  }

  init(form: JSONText.Form, depth: Int = JSONText.maximumDepth) {
    self.form = form
    self.depth = depth
  }

  mutating func read(_ text: [UInt8]) throws(JSONFailure) -> Value {
    source = text
    tape = text.withUnsafeBufferPointer {
      statecast_json_parse($0.baseAddress, $0.count, depth)
    }
    defer { statecast_json_free(tape) }
    guard tape.outcome != STATECAST_JSON_NO_MEMORY else {
      throw failure(.tooLarge, "\(text.count) bytes are more than can be parsed at once", at: 0)
    }
    guard tape.outcome == STATECAST_JSON_OK else {
      var diagnosis = JSONDiagnosis(text, depth: depth)
      throw diagnosis.failure()
    }
    return try value()
  }

  private mutating func next() -> statecast_json_token {
    defer { position += 1 }
    return tape.tokens[position]
  }

  private func text(_ token: statecast_json_token) -> String {
    String(decoding: bytes(token), as: UTF8.self)
  }

  private func bytes(_ token: statecast_json_token) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: token.length == 0 ? nil : tape.arena + Int(token.bits), count: Int(token.length))
  }

  private mutating func value() throws(JSONFailure) -> Value {
    let token = next()
    switch Int(token.kind) {
    case STATECAST_JSON_FALSE: return .bool(false)
    case STATECAST_JSON_TRUE: return .bool(true)
    case STATECAST_JSON_UNSIGNED: return .unsigned(token.bits)
    case STATECAST_JSON_NEGATIVE: return .negative(token.bits)
    case STATECAST_JSON_FLOAT: return .float(Double(bitPattern: token.bits))
    case STATECAST_JSON_TEXT: return .text(text(token))
    case STATECAST_JSON_ARRAY: return try array(count: Int(token.bits))
    case STATECAST_JSON_OBJECT: return try object(count: Int(token.bits), at: Int(token.offset))
    default: return .null
    }
  }

  private mutating func array(count: Int) throws(JSONFailure) -> Value {
    var items: [Value] = []
    items.reserveCapacity(count)
    path.append(.element(0))
    for index in 0..<count {
      path[path.count - 1] = .element(index)
      items.append(try value())
    }
    path.removeLast()
    position += 1
    return .array(items)
  }

  private mutating func object(count: Int, at offset: Int) throws(JSONFailure) -> Value {
    var entries = ValueMap()
    path.append(.element(0))
    for _ in 0..<count {
      let key = next()
      let name = text(key)
      path[path.count - 1] = .member(name)
      let value = try value()
      let before = entries.count
      entries.set(value, for: .text(name))
      // The parser does not mind; a text whose meaning hangs on which of two is taken is refused.
      guard entries.count > before else {
        throw failure(
          .duplicateKey, "the key “\(name)” stands twice in this object: keep one of them",
          at: Int(key.offset))
      }
    }
    path.removeLast()
    position += 1
    if form == .extended, count == 1, let (key, content) = entries.first, let name = key.string,
      Convention.concerns(name)
    {
      return try unconventional(name, content, at: offset)
    }
    return .map(entries)
  }

  /// The value that an object of the extended form means.
  private mutating func unconventional(
    _ key: String, _ content: Value, at offset: Int
  ) throws(JSONFailure) -> Value {
    if key.hasPrefix("@@") {
      return .map([String(key.dropFirst()): content])
    }
    guard let value = Convention(rawValue: key)?.value(of: content) else {
      throw failure(
        .convention,
        "the object with the key “\(key)” is not what the extended form expects there: "
          + "write the key “@\(key)” if it is meant as it stands",
        at: offset)
    }
    return value
  }

  private func failure(
    _ code: JSONFailure.Code, _ message: String, at offset: Int
  ) -> JSONFailure {
    let tokens = path.map { step in
      switch step {
      case .member(let name): name
      case .element(let index): String(index)
      }
    }
    return JSONFailure(code, message, at: offset, of: source, path: JSONPointer(tokens))
  }
}
