internal import StateModel

/// Publications, daemon beats and doorbells to and from frames; the first frame is the topic.
///
/// | topic | frames after it |
/// | --- | --- |
/// | `D…` | header `[1, lineage, epoch, from, to, commit, digest, origin or null, flags]`, payload: a delta, or empty |
/// | `H` | `[1, lineage, epoch, commit, durable, oldest, milliseconds to the next]` |
/// | `~…` | `[1, lineage, epoch, whether it is a welcome, highest mail number]` |
package enum BroadcastCodec {
  /// The frames of a broadcast.
  package static func encode(_ broadcast: Broadcast) -> [[UInt8]] {
    var header = CBOREncoder()
    header.reserve(96)
    switch broadcast {
    case .publication(let publication):
      header.array(9)
      header.unsigned(1)
      header.lineage(publication.lineage)
      header.epoch(publication.epoch)
      header.commit(publication.from)
      header.commit(publication.to)
      header.commit(publication.commit)
      header.unsigned(publication.digest.rawValue)
      header.optional(publication.origin) { $1.unsigned($0) }
      header.unsigned(publication.flags.rawValue)
      return [publication.topic.bytes, header.bytes, publication.delta.bytes]
    case .beat(let beat):
      header.array(7)
      header.unsigned(1)
      header.lineage(beat.lineage)
      header.epoch(beat.epoch)
      header.commit(beat.commit)
      header.commit(beat.durable)
      header.commit(beat.oldest)
      header.unsigned(beat.next.milliseconds)
      return [Topic.daemonBeat.bytes, header.bytes]
    case .ring(let ring):
      header.array(5)
      header.unsigned(1)
      header.lineage(ring.lineage)
      header.epoch(ring.epoch)
      header.bool(ring.isWelcome)
      header.unsigned(ring.mail)
      return [Topic(doorbell: ring.nonce).bytes, header.bytes]
    }
  }

  /// Reads a broadcast from its frames.
  package static func decode(_ frames: [[UInt8]]) throws(WireFailure) -> Broadcast {
    guard frames.count >= 2 else {
      throw WireFailure(.malformed, "a broadcast has a topic and a header")
    }
    let topic = Topic(bytes: frames[0])
    do {
      var decoder = CBORDecoder(frames[1])
      let count = try decoder.array()
      let version = try decoder.unsigned()
      guard version == 1 else {
        throw WireFailure(
          version > 1 ? .tooNew : .tooOld,
          "the broadcast is of protocol version \(version), this client speaks version 1")
      }
      let lineage = try decoder.lineage()
      let epoch = try decoder.epoch()
      let broadcast: Broadcast
      let known: Int
      switch (topic.kind, count, frames.count) {
      case (.view, 9..., 3):
        known = 9
        let from = try decoder.commit()
        let to = try decoder.commit()
        let commit = try decoder.commit()
        let digest = try decoder.digest()
        let origin = try decoder.optional { (decoder) throws(DecodingFailure) in
          try decoder.unsigned()
        }
        broadcast = .publication(
          Publication(
            topic: topic, lineage: lineage, epoch: epoch, from: from, to: to, commit: commit,
            digest: digest, origin: origin,
            flags: Publication.Flags(rawValue: try decoder.unsigned()),
            delta: Delta(bytes: frames[2])))
      case (.daemonBeat, 7..., 2):
        known = 7
        let commit = try decoder.commit()
        let durable = try decoder.commit()
        let oldest = try decoder.commit()
        broadcast = .beat(
          DaemonBeat(
            lineage: lineage, epoch: epoch, commit: commit, durable: durable, oldest: oldest,
            next: .milliseconds(Int64(clamping: try decoder.unsigned()))))
      case (.doorbell(let nonce), 5..., 2):
        known = 5
        let isWelcome = try decoder.bool()
        broadcast = .ring(
          Ring(
            nonce: nonce, lineage: lineage, epoch: epoch, isWelcome: isWelcome,
            mail: try decoder.unsigned()))
      default:
        throw WireFailure(
          .malformed, "no broadcast has such a topic with \(count) elements in its header")
      }
      // What a later version may have added.
      for _ in known..<count { try decoder.skip() }
      try decoder.finish()
      return broadcast
    } catch let failure as WireFailure {
      throw failure
    } catch let failure as DecodingFailure {
      throw WireFailure(failure, in: "header of the broadcast")
    } catch {
      throw WireFailure(.malformed, "\(error)")
    }
  }
}
