import Foundation
import StateModel
import StatecastClient
import SyncProtocol

/// What a mirror does with each publication: applies a small delta and compares the digest.
enum Apply {
  /// Deltas a second of processor time.
  static func perSecond(seconds: Double) throws -> Double {
    var state = Bench.State()
    for slot in 0..<1000 { state.slots[slot] = slot }
    var replica = TypedReplica(Bench.State.self)
    try replica.reset(to: state.encoded()[...], digest: state.digest)
    // A thousand deltas, forth and back, so that they can be applied again and again.
    var deltas: [(Delta, Digest)] = []
    var values = [state]
    for slot in 0..<500 {
      state.slots[slot * 2] = -slot
      values.append(state)
    }
    let path = values + values.dropLast().reversed()
    for (old, new) in zip(path, path.dropFirst()) {
      deltas.append((new.delta(from: old), new.digest))
    }
    var count = 0
    let start = ThreadClock.now()
    let end = start + seconds * 1e9
    var now = start
    while now < end {
      for (delta, digest) in deltas {
        try replica.apply(delta)
        guard replica.digest == digest else { throw BenchFailure("a replica's digest is another") }
      }
      count += deltas.count
      now = ThreadClock.now()
    }
    return Double(count) / ((now - start) / 1e9)
  }
}

/// The calling thread's processor time.
enum ThreadClock {
  /// Nanoseconds.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
