internal import StateModel

/// Replies to and from frames: `[header][body]`, header
/// `[1, code, request, lineage, epoch, commit, durable, oldest]`.
///
/// A reply does not name its kind: the keys of its body tell it, so that it can be read without
/// knowing what was asked.
///
/// | answers | body |
/// | --- | --- |
/// | `hello` | `base`: commit, `beat`: milliseconds, `last`: number, `views`: [answer…], `epochs`: [[epoch, commit]…], `limits`: {name: number}, `public`: number |
/// | `join` | `views`: [answer…] |
/// | `act` `outcome` | `last`: number, `views`: [[topic, commit]…], `outcomes`: [[number, code, commit or null, text, path]…] |
/// | `try` | `code`: code, `text`: text, `delta`: bytes |
/// | `snapshot` | `snapshot`: answer |
/// | `replay` | `replay`: answer |
/// | `chunk` | `size`: number, `bytes`: bytes, `answer`: number, `offset`: number |
/// | `alive` | `mail`: [item…], `again`: bool, `behind`: [topic…], `commit`: commit, `numbers`: [[topic, commit]…] |
/// | `views` `schema` `sessions` `stats` `log` | `value`: any |
/// | the others, and every refusal | `text`: text |
///
/// - A hello that is refused as `rewritten` has the body of an answer, without views, and with the
///   newest `epochs` of the daemon's history, each with the last commit before it: they tell which
///   acknowledged actions are not in it.
/// - An answer for a view is `[topic, number, digest, "resume", [delta…]]`,
///   `[topic, number, digest, "snapshot", value, reason]`,
///   `[topic, number, digest, "pull", answer id, size, reason]` or
///   `[topic, number, digest, "refused", code, text]`.
/// - An outcome's text and path are left out when both are empty, and so is a reply's `text`.
/// - A mail item is `[number, "call", caller, call id, name, milliseconds, argument]`,
///   `[number, "cancel", caller, call id]`, `[number, "result", call id, code, text, result]`,
///   `[number, "ended", commit, code, text]`, or `[number, kind, text]` with the kinds `lapsed`,
///   `going-away` and `evicted`. One of another kind is acknowledged like any other, and ignored.
/// - Values and deltas are byte strings that hold the encoding: exactly the bytes that a
///   publication or a pull delivers, checked once, by the mirror that takes them.
package enum ReplyCodec {
  /// The frames of a reply, without an envelope.
  package static func encode(_ reply: Reply) -> [[UInt8]] {
    var header = CBOREncoder()
    header.reserve(96)
    reply.header.encode(to: &header)
    var body = CBOREncoder()
    body.reserve(128)
    reply.body.encode(to: &body)
    return [header.bytes, body.bytes]
  }

  /// Reads a reply from its frames, without the envelope.
  package static func decode(_ frames: [[UInt8]]) throws(WireFailure) -> Reply {
    try decode(frames[...])
  }

  /// The same of the frames behind an envelope.
  package static func decode(_ frames: ArraySlice<[UInt8]>) throws(WireFailure) -> Reply {
    guard frames.count == 2, let first = frames.first, let last = frames.last else {
      throw WireFailure(
        .malformed, "a reply has two frames, a header and a body, not \(frames.count)")
    }
    let header: Reply.Header
    do {
      var decoder = CBORDecoder(first)
      let count = try decoder.array()
      let version = try decoder.unsigned()
      guard version == 1 else {
        throw WireFailure(
          version > 1 ? .tooNew : .tooOld,
          "the reply is of protocol version \(version), this client speaks version 1")
      }
      guard count >= 8 else {
        throw DecodingFailure(.wrongType, "a header has 8 elements, not \(count)")
      }
      header = try Reply.Header(from: &decoder)
      // What a later version may have added.
      for _ in 8..<count { try decoder.skip() }
      try decoder.finish()
    } catch let failure as WireFailure {
      throw failure
    } catch let failure as DecodingFailure {
      throw WireFailure(failure, in: "header of the reply")
    } catch {
      throw WireFailure(.malformed, "\(error)")
    }
    do {
      var decoder = CBORDecoder(last)
      let body = try Reply.Body(from: &decoder)
      try decoder.finish()
      return Reply(header: header, body: body)
    } catch {
      throw WireFailure(error, in: "body of the reply", request: header.request)
    }
  }
}

extension Reply.Header {
  func encode(to encoder: inout CBOREncoder) {
    encoder.array(8)
    encoder.unsigned(1)
    encoder.text(code.rawValue)
    encoder.unsigned(request)
    encoder.lineage(lineage)
    encoder.epoch(epoch)
    encoder.commit(commit)
    encoder.commit(durable)
    encoder.commit(oldest)
  }

  /// Reads what follows the version.
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let code = try decoder.code()
    let request = try decoder.unsigned()
    let lineage = try decoder.lineage()
    let epoch = try decoder.epoch()
    let commit = try decoder.commit()
    let durable = try decoder.commit()
    self.init(
      code: code, request: request, lineage: lineage, epoch: epoch, commit: commit,
      durable: durable, oldest: try decoder.commit())
  }
}
