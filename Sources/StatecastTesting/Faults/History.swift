package import StateModel

/// What the clients of a run sent, were told and saw, and whether that is what was promised.
///
/// Every action appends a token of its own to one list of the daemon's state, so the list is the
/// daemon's word on what was applied, how often, and in which order.
package struct History: Sendable {
  /// What its client knows of an action in the end.
  package enum Outcome: Equatable, Sendable {
    case applied(commit: UInt64)
    /// Refused, or certainly never seen.
    case notApplied
    case unknown
  }

  /// An action; its token is `client.number`.
  package struct Sent: Sendable {
    package var client: Int
    package var number: Int
    package var outcome: Outcome
    /// When it was awaited in the mirror: whether the mirror had it then.
    package var wasSeen: Bool?

    package init(client: Int, number: Int, outcome: Outcome, wasSeen: Bool? = nil) {
      self.client = client
      self.number = number
      self.outcome = outcome
      self.wasSeen = wasSeen
    }

    package var token: String { Self.token(client, number) }
    package static func token(_ client: Int, _ number: Int) -> String { "\(client).\(number)" }
  }

  /// A value that a mirror held.
  package struct Sighting: Equatable, Sendable {
    package var number: UInt64
    package var digest: Digest

    package init(number: UInt64, digest: Digest) {
      self.number = number
      self.digest = digest
    }
  }

  package var sent: [Sent] = []
  /// Each mirror's values in the order in which it held them, within one lineage.
  package var sightings: [[Sighting]] = []
  /// The tokens in the daemon's list, in its order, when all was quiet.
  package var applied: [String] = []
  /// The digest of that state's view.
  package var digest: Digest

  package init(digest: Digest) { self.digest = digest }

  /// What does not hold; empty is right.
  package func violations() -> [String] {
    once() + oneOrder() + mirrors()
      + sent.filter { $0.wasSeen == false }.map {
        "\($0.token) was awaited in the mirror, which did not have it"
      }
  }

  /// Acknowledged: once. Refused or never seen: not at all. Unknown: at most once.
  private func once() -> [String] {
    var left = Dictionary(applied.map { ($0, 1) }, uniquingKeysWith: +)
    var found: [String] = []
    for action in sent {
      let count = left.removeValue(forKey: action.token) ?? 0
      switch action.outcome {
      case .applied where count != 1:
        found.append("\(action.token) was acknowledged and is applied \(count) times")
      case .notApplied where count != 0:
        found.append("\(action.token) was said not to be applied, and is")
      case .unknown where count > 1: found.append("\(action.token) is applied \(count) times")
      default: continue
      }
    }
    return found + left.keys.sorted().map { "\($0) is applied and was sent by nobody" }
  }

  /// Commits rise along the list, and no two actions have the same one.
  private func oneOrder() -> [String] {
    let commits = Dictionary(
      sent.compactMap { action -> (String, UInt64)? in
        guard case .applied(let commit) = action.outcome else { return nil }
        return (action.token, commit)
      }, uniquingKeysWith: { first, _ in first })
    var last: (token: String, commit: UInt64)?
    var found: [String] = []
    for token in applied {
      guard let commit = commits[token] else { continue }
      if let last, commit <= last.commit {
        found.append(
          "\(token) has commit \(commit), and stands after \(last.token) with \(last.commit)")
      }
      last = (token, commit)
    }
    return found
  }

  /// All mirrors agree on what a number's value is, none goes back, all end with the daemon's value.
  private func mirrors() -> [String] {
    var digests: [UInt64: Digest] = [:]
    var found: [String] = []
    for (index, values) in sightings.enumerated() {
      var last: UInt64 = 0
      for value in values {
        if value.number < last {
          found.append("mirror \(index) went back from \(last) to \(value.number)")
        }
        last = value.number
        if let other = digests[value.number], other != value.digest {
          found.append("mirror \(index) has another value at \(value.number) than an earlier one")
        }
        digests[value.number] = value.digest
      }
      if let end = values.last, end.digest != digest {
        found.append("mirror \(index) ends at \(end.number) with another value than the daemon's")
      }
    }
    return found
  }
}
