internal import JSONText
internal import StateModel
internal import StatecastDaemon
internal import SyncProtocol

/// Whatever reads bytes of strangers, as functions from bytes to a verdict.
///
/// The same functions are run by libFuzzer (`make fuzz`) and, over the kept corpus, by the tests. A
/// crash is one finding, a broken promise (what was read does not write back to the same bytes) is
/// another.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A value in CBOR.
  case cbor
  /// A request's two frames.
  case request
  /// What a client reads: a reply's two frames and a publication's three.
  case reply
  /// A value, and a delta that is applied to it.
  case delta
  /// A configuration file.
  case configuration
  /// JSON text.
  case json
  /// A JSON document, and an RFC 6902 patch on it.
  case patch

  /// Runs one input.
  ///
  /// - Returns: which promise is broken; nil if all hold.
  package func run(_ bytes: [UInt8]) -> String? {
    switch self {
    case .cbor: Self.cbor(bytes)
    case .request: Self.request(bytes)
    case .reply: Self.reply(bytes)
    case .delta: Self.delta(bytes)
    case .configuration: Self.configuration(bytes)
    case .json: Self.json(bytes)
    case .patch: Self.patch(bytes)
    }
  }

  private static func cbor(_ bytes: [UInt8]) -> String? {
    guard let value = try? Value(encoded: bytes) else { return nil }
    if value.encoded() != bytes { return "a value was read from a form that is not its own" }
    guard let again = try? Value(encoded: value.encoded()), again.digest == value.digest else {
      return "the same bytes have two digests"
    }
    return nil
  }

  private static func request(_ bytes: [UInt8]) -> String? {
    guard let request = try? RequestCodec.decode(frames(bytes)) else { return nil }
    // Unknown keys are dropped, so bytes may differ; what was understood may not.
    guard let again = try? RequestCodec.decode(RequestCodec.encode(request)), again == request
    else { return "a request that was understood is not understood when written anew" }
    return nil
  }

  private static func reply(_ bytes: [UInt8]) -> String? {
    let frames = frames(bytes)
    if let reply = try? ReplyCodec.decode(frames) {
      guard let again = try? ReplyCodec.decode(ReplyCodec.encode(reply)), again == reply else {
        return "a reply that was understood is not understood when written anew"
      }
    }
    if let broadcast = try? BroadcastCodec.decode(frames) {
      guard let again = try? BroadcastCodec.decode(BroadcastCodec.encode(broadcast)),
        again == broadcast
      else { return "a publication that was understood is not understood when written anew" }
    }
    return nil
  }

  private static func delta(_ bytes: [UInt8]) -> String? {
    let parts = frames(bytes)
    guard parts.count == 2, let old = try? Value(encoded: parts[0]) else { return nil }
    var new = old
    do {
      try new.apply(Delta(bytes: parts[1]))
    } catch {
      return new.isIdentical(to: old) ? nil : "a refused delta left changes behind"
    }
    guard let plain = try? Value(encoded: new.encoded()) else { return nil }
    if plain.digest != new.digest { return "a digest kept through a delta is not the value's" }
    var back = old
    guard (try? back.apply(new.delta(from: old))) != nil, back.isIdentical(to: new) else {
      return "the delta between two values does not lead from one to the other"
    }
    return nil
  }

  private static func configuration(_ bytes: [UInt8]) -> String? {
    let loader = ConfigurationLoader(
      program: "statecastd", name: "statecast", arguments: ["--config", "f"], environment: [:],
      read: { _ in .success(bytes) })
    do {
      _ = try loader.load()
    } catch {
      return "\(error)".isEmpty ? "a refused configuration does not say why" : nil
    }
    return nil
  }

  private static func json(_ bytes: [UInt8]) -> String? {
    guard let value = try? JSONText.parse(bytes) else { return nil }
    guard let text = try? JSONText.write(value) else { return "what was read cannot be written" }
    guard let again = try? JSONText.parse(Array(text.utf8)), again.isIdentical(to: value) else {
      return "written and read anew it is another value"
    }
    return nil
  }

  private static func patch(_ bytes: [UInt8]) -> String? {
    let parts = frames(bytes)
    guard parts.count == 2, let document = try? JSONText.parse(parts[0]),
      let patch = try? JSONPatch(JSONText.parse(parts[1]))
    else { return nil }
    var patched = document
    guard (try? patch.apply(to: &patched)) == nil else { return nil }
    return patched.isIdentical(to: document) ? nil : "a refused patch left changes behind"
  }

  /// Several frames in one input: each after its length in two bytes, the last one without.
  static func frames(_ bytes: [UInt8]) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var rest = bytes[...]
    while rest.count >= 2 {
      let count = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
      frames.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return frames
  }
}
