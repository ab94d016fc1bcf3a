internal import StateModel

/// What a mirror makes of the answers to hello, join, replay, snapshot and chunk.
extension MirrorMachine {
  /// Where the answer puts it, beside the number and digest in the answer.
  struct Place: Sendable {
    var lineage: Lineage
    var epoch: Epoch
    var commit: CommitNumber
    var now: Moment
    /// Bytes that may be held.
    var limit: Int
    /// Whether the link is heard: while it is not, an answer is exact, and nobody tells when it is
    /// not any more.
    var isHeard: Bool
  }

  /// How the view goes on, from a hello, a join, a replay or a snapshot. False when it is refused
  /// for the moment only, and is to be asked for again after a while.
  mutating func take(
    _ answer: ViewAnswer, _ place: Place, _ outputs: inout [ClientOutput]
  ) -> Bool {
    isAsked = false
    let before = position?.number
    var isProven = true
    switch answer.content {
    case .resume(let deltas):
      // An answer has as many deltas as go into it: only an empty one says that there are no more.
      isProven = deltas.isEmpty
      resume(deltas, answer, place, &outputs)
    case .snapshot(let value, _):
      reset(to: value[...], number: answer.number, digest: answer.digest, place, &outputs)
    case .pull(let id, let size, _):
      pull = SnapshotPull(
        answer: id, size: size, number: answer.number, digest: answer.digest, faults: faults)
      want = .chunk
      behindSince = nil
    case .refused(let code, let text):
      if [.busy, .retry, .gone].contains(code) {
        want = .join
        return false
      }
      refuse(code, text, place, &outputs)
    }
    settle(place, movedFrom: before, isProven: isProven, &outputs)
    return true
  }

  /// A piece of a large value.
  mutating func take(_ chunk: Chunk, _ place: Place, _ outputs: inout [ClientOutput]) {
    isAsked = false
    guard var pull else { return }
    self.pull = nil
    guard pull.take(chunk) else {
      want = .snapshot
      return
    }
    attempts.reset()
    guard pull.isComplete else {
      self.pull = pull
      return
    }
    let before = position?.number
    reset(to: pull.bytes[...], number: pull.number, digest: pull.digest, place, &outputs)
    // It was pinned a while ago, and what was published since may have been dropped here.
    settle(place, movedFrom: before, isProven: false, &outputs)
  }

  /// A request of its own was refused or ran out of time.
  mutating func failed(
    _ code: Code?, at now: Moment, using random: inout SeedStream
  ) {
    isAsked = false
    guard let code else { return }
    notBefore = now + attempts.next(using: &random)
    if want == .chunk, code != .busy {
      // The pinned value was released: another one is needed.
      pull = nil
      want = .snapshot
    } else if want == .replay, code != .busy {
      want = .snapshot
    } else if want == .snapshot, code != .busy {
      // The daemon does not follow the view for us: it has to be asked for by name.
      want = .join
    }
  }

  private mutating func resume(
    _ deltas: [Delta], _ answer: ViewAnswer, _ place: Place, _ outputs: inout [ClientOutput]
  ) {
    guard let number = position?.number else {
      want = .snapshot
      return
    }
    do {
      for delta in deltas { try replica.apply(delta) }
    } catch {
      diverge(delta: deltas.first, expected: answer.digest, at: place.now, &outputs)
      return
    }
    guard replica.digest == answer.digest else {
      diverge(delta: deltas.first, expected: answer.digest, at: place.now, &outputs)
      return
    }
    stand(answer.number, answer.digest, place)
    if answer.number != number || !deltas.isEmpty {
      changed(answer.number, place, delta: Delta.joined(deltas), &outputs)
    }
  }

  private mutating func reset(
    to value: ArraySlice<UInt8>, number: CommitNumber, digest: Digest, _ place: Place,
    _ outputs: inout [ClientOutput]
  ) {
    do {
      try replica.reset(to: value, digest: digest)
    } catch {
      refuse(
        .invalid, "The view \(name) cannot be read by this client: \(error.description).", place,
        &outputs)
      return
    }
    guard replica.digest == digest else {
      diverge(delta: nil, expected: digest, at: place.now, &outputs)
      return
    }
    stand(number, digest, place)
    forgetVain()
    changed(number, place, delta: nil, &outputs)
  }

  private mutating func stand(_ number: CommitNumber, _ digest: Digest, _ place: Place) {
    position = Position(
      lineage: place.lineage, epoch: place.epoch, number: number, digestValue: digest.rawValue)
    want = .nothing
    isConfirmed = place.isHeard || !follows
    isRefused = false
  }

  private func changed(
    _ number: CommitNumber, _ place: Place, delta: Delta?, _ outputs: inout [ClientOutput]
  ) {
    outputs.append(
      .changed(
        token,
        ClientOutput.Update(
          replica: replica, number: number, commit: place.commit, origin: nil, delta: delta)))
  }

  private mutating func refuse(
    _ code: Code, _ text: String, _ place: Place, _ outputs: inout [ClientOutput]
  ) {
    position = nil
    want = .nothing
    isRefused = true
    isConfirmed = false
    markStale(text, at: place.now, &outputs)
    outputs.append(.refused(token, code: code, text: text))
  }

  /// Follows what was held meanwhile, and says so if it is exact again.
  ///
  /// - Parameter isProven: whether the answer reached what was published then. Otherwise something
  ///   of the live stream has to join on, or one more replay has to bring nothing.
  private mutating func settle(
    _ place: Place, movedFrom before: CommitNumber?, isProven: Bool,
    _ outputs: inout [ClientOutput]
  ) {
    guard want == .nothing, let asked = position?.number else { return }
    attempts.reset()
    notBefore = nil
    let (publications, overflowed) = held.take(
      of: DaemonRun(lineage: place.lineage, epoch: place.epoch))
    let joinsOn = publications.contains { $0.from <= asked && asked <= $0.to }
    for publication in publications {
      receive(publication, limit: place.limit, at: place.now, &outputs)
    }
    if overflowed || !(isProven || joinsOn) { miss(at: place.now) }
    if want == .replay || want == .snapshot, position?.number == before, asked == before {
      countVain()
    }
    freshen(&outputs)
  }

  /// Says that it is exact and current, if it is.
  mutating func freshen(_ outputs: inout [ClientOutput]) {
    guard want == .nothing, isConfirmed, let position else { return }
    behindSince = nil
    guard stale != nil else { return }
    stale = nil
    outputs.append(.fresh(token, position.number))
  }
}

extension Delta {
  /// One delta that does what these do one after the other; nil when one of them does not decode.
  static func joined(_ deltas: [Delta]) -> Delta? {
    if deltas.count == 1 { return deltas[0] }
    var count = 0
    var bodies: [UInt8] = []
    for delta in deltas {
      var decoder = CBORDecoder(delta.bytes)
      guard let changes = try? decoder.array() else { return nil }
      count += changes
      bodies += delta.bytes[decoder.position...]
    }
    var encoder = CBOREncoder()
    encoder.array(count)
    encoder.encoded(bodies)
    return Delta(bytes: encoder.bytes)
  }
}
