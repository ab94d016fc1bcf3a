internal import StateModel

/// Requests to and from frames: `[header][body]`, header `[1, kind, request, session, epoch|null]`.
///
/// Every body is a map. Keys stand in the order below (that of their encodings), those whose value
/// is null, empty, zero or false may be left out, and unknown keys are ignored.
///
/// | kind | body |
/// | --- | --- |
/// | `hello` | `base`: commit or null, `name`: text, `seen`: [lineage, epoch, durable] or null, `acked`: number, `views`: [view…], `present`: bool, `doorbell`: 16 bytes or null, `protocol`: [min, max] |
/// | `join` | `views`: [view…], `doorbell`: 16 bytes or null |
/// | `leave` | `topics`: [topic…] |
/// | `act` | `base`: commit, `acked`: number, `atomic`: bool, `entries`: [[number, …entry]…] |
/// | `try` | `entry`: entry |
/// | `outcome` | `base`: commit, `acked`: number, `numbers`: [number…] |
/// | `snapshot` | `topic`: topic |
/// | `replay` | `from`: commit, `topic`: topic |
/// | `chunk` | `answer`: number, `offset`: number |
/// | `alive` | `mail`: number, `numbers`: [[topic, commit]…] |
/// | `call` | `id`: number, `handle`: [owner, epoch as a number, name], `argument`: any, `deadline`: milliseconds |
/// | `return` | `id`: number, `code`: code, `text`: text, `caller`: public number, `result`: any |
/// | `cancel` | `call`: number, or `commit`: commit |
/// | `wait` | `commit`: commit |
/// | `log` | `from`: commit, `limit`: number |
/// | `bye` `views` `schema` `sessions` `stats` `stop` | empty |
///
/// - A view is `[name, parameters, schema hash or null, position or null]`, a position
///   `[lineage, epoch, number, digest]`.
/// - An entry is `["do", action, options]`, `["set", field, value, options]`,
///   `["answer", alert id, button or null, options]`, `["offer", name, options]` or
///   `["withdraw", name, options]`. Options are a map of `expect`:
///   `[[[path element…], digest]…]` and `if-commit`: commit; they may be left out.
/// - Actions, values, parameters, ids and path elements are items of their own in the body. Values
///   and deltas that a *mirror* takes travel as byte strings instead (`ReplyCodec`).
package enum RequestCodec {
  /// The longest header: a longer frame is none of ours and is not looked into.
  static let longestHeader = 128

  /// The frames of a request, without an envelope.
  package static func encode(_ request: Request) -> [[UInt8]] {
    var header = CBOREncoder()
    header.reserve(64)
    header.array(5)
    header.unsigned(1)
    header.text(request.body.kind)
    header.unsigned(request.id)
    header.bytes16(request.session.bytes)
    header.optional(request.epoch) { $1.epoch($0) }
    var body = CBOREncoder()
    body.reserve(256)
    request.body.encode(to: &body)
    return [header.bytes, body.bytes]
  }

  /// Reads a request from its frames, without the envelope.
  package static func decode(
    _ frames: [[UInt8]], limits: Limits = Limits()
  ) throws(WireFailure) -> Request {
    try decode(frames[...], limits: limits)
  }

  /// The same of the frames behind an envelope.
  package static func decode(
    _ frames: ArraySlice<[UInt8]>, limits: Limits
  ) throws(WireFailure) -> Request {
    guard frames.count == 2, let first = frames.first, let last = frames.last else {
      let request = frames.first.flatMap { try? readHeader($0).request }
      throw WireFailure(
        .malformed, "a request has two frames, a header and a body, not \(frames.count)",
        request: request)
    }
    let header = try readHeader(first)
    guard first.count + last.count <= limits.request else {
      throw WireFailure(
        .tooLarge,
        "the request has \(first.count + last.count) bytes, the limit is "
          + "\(limits.request): send fewer entries at once, or smaller ones",
        request: header.request)
    }
    do {
      var decoder = CBORDecoder(last)
      let body = try Request.Body(kind: header.kind, from: &decoder)
      try decoder.finish()
      return Request(
        id: header.request, session: header.session, epoch: header.epoch, body: body)
    } catch {
      throw WireFailure(error, in: "body of the request", request: header.request)
    }
  }

  private struct Header {
    var kind: ArraySlice<UInt8>
    var request: UInt64
    var session: SessionID
    var epoch: Epoch?
  }

  private static func readHeader(_ frame: [UInt8]) throws(WireFailure) -> Header {
    guard frame.count <= longestHeader else {
      throw WireFailure(
        .malformed,
        "the header of a request has at most \(longestHeader) bytes, not \(frame.count)")
    }
    var request: UInt64?
    do {
      var decoder = CBORDecoder(frame)
      let count = try decoder.array()
      let version = try decoder.unsigned()
      let kind = try decoder.textBytes()
      request = try decoder.unsigned()
      guard version == 1 else {
        throw WireFailure(
          version > 1 ? .tooNew : .tooOld,
          "the request is of protocol version \(version), this daemon speaks version 1",
          request: request)
      }
      guard count >= 5 else {
        throw DecodingFailure(.wrongType, "a header has 5 elements, not \(count)")
      }
      let session = SessionID(try decoder.bytes16())
      let epoch = try decoder.optional { (decoder) throws(DecodingFailure) in
        try decoder.epoch()
      }
      // What a later version may have added.
      for _ in 5..<count { try decoder.skip() }
      try decoder.finish()
      return Header(kind: kind, request: request ?? 0, session: session, epoch: epoch)
    } catch let failure as WireFailure {
      throw failure
    } catch let failure as DecodingFailure {
      throw WireFailure(failure, in: "header of the request", request: request)
    } catch {
      throw WireFailure(.malformed, "\(error)", request: request)
    }
  }
}
