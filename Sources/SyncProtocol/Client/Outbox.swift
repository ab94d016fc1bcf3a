/// A client's actions on their way: which number each has, what is sent next, what became of it.
///
/// Exactly-once rests on three rules kept here. A number once sent keeps its bytes for ever. What
/// has not been answered is sent again, first things first, until it is. An action that is given up
/// is never simply forgotten: its number is burnt through `outcome`, which also tells if it was
/// done before.
struct Outbox: Sendable {
  /// Never sent: without numbers.
  private(set) var waiting: [Parcel] = []
  /// Sent and not answered, in order of their numbers, without gaps.
  private(set) var sent: [Parcel] = []
  /// The highest number that was ever sent.
  private(set) var lastNumber: ActionNumber = 0
  /// Sends one parcel at a time, because a request with several was refused as a whole.
  private var oneByOne = false
  /// From so many waiting actions on they leave in two requests. Where fewer wait, what a second
  /// request costs both ends is more than what is gained by neither waiting for the other.
  private let halvedFrom: Int
  private let faults: ClientFaults

  init(halvedFrom: Int, faults: ClientFaults = []) {
    self.halvedFrom = max(2, halvedFrom)
    self.faults = faults
  }

  /// What became of a member.
  struct Settled: Sendable {
    var token: ActionToken
    var number: ActionNumber
    var resolution: Resolution
  }

  /// Outcomes up to this number have all been received.
  var acked: ActionNumber { (sent.first?.members.first?.number ?? lastNumber + 1) - 1 }
  var isEmpty: Bool { waiting.isEmpty && sent.isEmpty }
  /// Whether this session ever sent anything.
  var hasSent: Bool { lastNumber > 0 }
  var count: Int { waiting.count + sent.count }

  mutating func submit(_ token: ActionToken, _ entry: Entry) {
    waiting.append(Parcel([Parcel.Member(token: token, entry: entry)], isAtomic: false))
  }

  mutating func submit(_ actions: [(ActionToken, Entry)], atomic: Bool) {
    waiting.append(
      Parcel(actions.map { Parcel.Member(token: $0.0, entry: $0.1) }, isAtomic: atomic))
  }

  /// Gives up the parcel that holds this action; what is resolved at once.
  mutating func giveUp(_ token: ActionToken) -> [Settled] {
    if let index = waiting.firstIndex(where: { $0.holds(token) }) {
      return waiting.remove(at: index).settled(.notDone(code: .cancelled, text: Self.neverSent))
    }
    guard let index = sent.firstIndex(where: { $0.holds(token) }) else { return [] }
    if faults.contains(.noGiveUp) {
      return sent.remove(at: index).settled(.notDone(code: .cancelled, text: Self.burnt))
    }
    if sent[index].burning == nil { sent[index].burn(.cancelled, Self.burnt) }
    return []
  }

  /// What to send now: what is unanswered first, and with it what waits, as far as the limits go.
  mutating func next(base: CommitNumber, limits: Limits) -> (RequestPurpose, Request.Body)? {
    if let first = sent.first {
      if first.burning != nil { return outcome(base: base) }
      if first.isAtomic { return act([first], base: base) }
      var run = sent.prefix { !$0.isAtomic && $0.burning == nil }
      if oneByOne { run = run.prefix(1) }
      var load = Load(limits: limits)
      let fitting = run.prefix { load.takes($0) }
      if fitting.count == sent.count, !oneByOne {
        return act(Array(fitting) + number(&load, limits), base: base)
      }
      return act(Array(fitting), base: base)
    }
    var load = Load(limits: limits)
    // Many leave in two requests, one behind the other: while the daemon is at work on one, the
    // answer to the other is taken in, and neither end waits for the other.
    if waiting.count >= halvedFrom { load.entries = min(load.entries, waiting.count / 2) }
    let fresh = number(&load, limits)
    return fresh.isEmpty ? nil : act(fresh, base: base)
  }

  /// Whether exactly these numbers are sent and not answered, and may be followed by others.
  func isUnderWay(_ numbers: ClosedRange<ActionNumber>) -> Bool {
    !waiting.isEmpty && !oneByOne && acked + 1 == numbers.lowerBound
      && lastNumber == numbers.upperBound && sent.allSatisfy { $0.burning == nil }
  }

  /// What to send behind a request that is under way: single actions only, as far as the limits go.
  /// A few wait: a request costs both ends more than an action.
  mutating func nextBehind(base: CommitNumber, limits: Limits) -> (RequestPurpose, Request.Body)? {
    guard waiting.count >= halvedFrom / 2, let first = waiting.first, !first.isAtomic,
      !first.isTooLarge(for: limits),
      sent.last?.isAtomic == false
    else { return nil }
    var load = Load(limits: limits)
    let fresh = number(&load, limits)
    return fresh.isEmpty ? nil : act(fresh, base: base)
  }

  /// Gives numbers to what waits, as much of it as goes into a request.
  private mutating func number(_ load: inout Load, _ limits: Limits) -> [Parcel] {
    var fresh: [Parcel] = []
    var taken = 0
    defer { waiting.removeFirst(taken) }
    while taken < waiting.count {
      let parcel = waiting[taken]
      let unanswered = lastNumber - acked
      guard unanswered + UInt64(parcel.members.count) <= UInt64(limits.window) else { break }
      if parcel.isAtomic {
        guard load.isEmpty else { break }
      } else if fresh.last?.isAtomic == true {
        break
      }
      if oneByOne, !fresh.isEmpty { break }
      guard load.takes(parcel) else { break }
      var numbered = parcel
      // It leaves the queue: with one owner its members are numbered in place.
      waiting[taken].members = []
      taken += 1
      for index in numbered.members.indices {
        lastNumber += 1
        numbered.members[index].number = lastNumber
      }
      fresh.append(numbered)
      sent.append(numbered)
    }
    return fresh
  }

  private func act(_ parcels: [Parcel], base: CommitNumber) -> (RequestPurpose, Request.Body)? {
    var entries: [Act.Numbered] = []
    entries.reserveCapacity(parcels.count)
    for parcel in parcels {
      for member in parcel.members {
        entries.append(Act.Numbered(number: member.number, entry: member.entry))
      }
    }
    guard let first = entries.first, let last = entries.last else { return nil }
    return (
      .act(first.number...last.number),
      .act(
        Act(
          base: base, acked: faults.contains(.ackedAhead) ? lastNumber : acked, entries: entries,
          atomic: parcels.first?.isAtomic == true))
    )
  }

  /// Asks what became of everything at the head that is to be burnt.
  private func outcome(base: CommitNumber) -> (RequestPurpose, Request.Body)? {
    let numbers = sent.prefix { $0.burning != nil }.flatMap { $0.members.map(\.number) }
    guard let first = numbers.first, let last = numbers.last else { return nil }
    return (
      .outcome(first...last),
      .outcome(OutcomeQuery(base: base, acked: acked, numbers: numbers))
    )
  }

  /// What a request may still take.
  private struct Load {
    var entries: Int
    var bytes: Int
    var isEmpty = true

    /// Room for the request's own fields.
    private static let overhead = 256

    init(limits: Limits) {
      entries = limits.entries
      bytes = limits.request - Self.overhead
    }

    mutating func takes(_ parcel: Parcel) -> Bool {
      entries -= parcel.members.count
      bytes -= parcel.weight
      defer { isEmpty = false }
      return isEmpty || (entries >= 0 && bytes >= 0)
    }
  }
}

extension Outbox {
  /// Takes outcomes. What they settle, and a refusal that concerns all that is left.
  mutating func take(_ outcomes: [Outcome]) -> (settled: [Settled], refusal: Outcome?) {
    var settled: [Settled] = []
    settled.reserveCapacity(outcomes.count)
    var refusal: Outcome?
    // Outcomes come in the order in which the parcels stand: each is sought behind the last one.
    var next = 0
    defer { sent.removeAll { $0.members.isEmpty } }
    for outcome in outcomes {
      guard let place = place(of: outcome.number, from: next) else { continue }
      next = place.parcel
      if let resolution = resolution(of: outcome, at: place.parcel) {
        let member = sent[place.parcel].members.remove(at: place.member)
        settled.append(
          Settled(token: member.token, number: member.number, resolution: resolution))
        oneByOne = false
      } else if refusal == nil {
        refusal = outcome
      }
    }
    return (settled, refusal)
  }

  /// Nil when it is refused for now, or has to be burnt first.
  private mutating func resolution(of outcome: Outcome, at index: Int) -> Resolution? {
    let burning = sent[index].burning
    switch outcome.code {
    case .cancelled:
      // Why it was refused before says more than that it is burnt since.
      if let burning, burning.code != .cancelled, !burning.text.isEmpty {
        return .notDone(code: burning.code, text: burning.text)
      }
      return .notDone(
        code: burning?.code ?? .cancelled,
        text: outcome.text.isEmpty ? burning?.text ?? Self.burnt : outcome.text)
    case let code where code.consumesNumber:
      return .done(code: code, commit: outcome.commit, text: outcome.text)
    case .expired, .idReused:
      return .unknown(text: outcome.text.isEmpty ? Self.forgotten : outcome.text)
    case .busy, .noSpace, .retry, .outOfOrder, .rewritten, .evicted, .helloAgain, .tooOld,
      .tooNew:
      return nil
    case .internal where sent[index].internalFailures < Self.internalFailuresBorne:
      sent[index].internalFailures += 1
      return nil
    default:
      // A refusal of this action for good, or a code that is newer than this client: asking for
      // the outcome tells the two apart, since a refusal did not consume the number.
      if let burning, burning.code == outcome.code {
        return .done(code: outcome.code, commit: outcome.commit, text: outcome.text)
      }
      sent[index].burn(outcome.code, outcome.text)
      return nil
    }
  }

  /// The request that carried these numbers was refused as a whole, for what is in it.
  mutating func refused(_ numbers: ClosedRange<ActionNumber>, code: Code, text: String) {
    let concerned = sent.indices.filter { index in
      sent[index].members.contains { numbers.contains($0.number) }
    }
    if concerned.count > 1 {
      oneByOne = true
    } else if let index = concerned.first {
      if code == .internal, sent[index].internalFailures < Self.internalFailuresBorne {
        sent[index].internalFailures += 1
      } else if sent[index].burning == nil {
        sent[index].burn(code, text)
      }
    }
  }

  /// What can never go into a request, by the limits that the daemon told.
  mutating func removeTooLarge(limits: Limits) -> [Settled] {
    guard waiting.contains(where: { $0.isTooLarge(for: limits) }) else { return [] }
    let large = waiting.filter { $0.isTooLarge(for: limits) }
    waiting.removeAll { $0.isTooLarge(for: limits) }
    return large.flatMap { parcel in
      parcel.settled(.notDone(code: .tooLarge, text: parcel.tooLargeText(for: limits)))
    }
  }

  /// A new session begins: numbers start again, and only what was never sent moves there. What was
  /// sent is `unknown`; it is never sent under another number.
  mutating func startAnew(text: String) -> [Settled] {
    if faults.contains(.sentMoves) { waiting = sent + waiting }
    let lost =
      faults.contains(.sentMoves) ? [] : sent.flatMap { $0.settled(.unknown(text: text)) }
    sent = []
    lastNumber = 0
    oneByOne = false
    return lost
  }

  /// What `retryIsNew` does: what is not answered is sent again under new numbers.
  mutating func forgetNumbers() {
    waiting = sent + waiting
    sent = []
  }

  /// The client closes: nothing waits for ever. The numbers go on where they are.
  mutating func close() -> [Settled] {
    let unsent = waiting.flatMap { parcel in
      parcel.settled(.notDone(code: .cancelled, text: Self.neverSent))
    }
    let lost = sent.flatMap { $0.settled(.unknown(text: Self.closedBefore)) }
    waiting = []
    sent = []
    return lost + unsent
  }

  /// Whether any of these numbers still waits for its outcome.
  func awaits(_ numbers: ClosedRange<ActionNumber>) -> Bool {
    sent.contains { parcel in parcel.members.contains { numbers.contains($0.number) } }
  }

  /// Where a number is, looking at the parcels from `start` on first.
  private func place(of number: ActionNumber, from start: Int) -> (parcel: Int, member: Int)? {
    for step in sent.indices {
      let index = start + step < sent.count ? start + step : start + step - sent.count
      if let member = sent[index].members.firstIndex(where: { $0.number == number }) {
        return (index, member)
      }
    }
    return nil
  }

  /// How often the daemon may fail on an action before the client stops asking.
  private static let internalFailuresBorne = 3

  static let neverSent = "It was never sent."
  static let burnt = "It was given up: it is not applied and never will be."
  static let forgotten =
    "The daemon does not know any more what became of it. Look at the state before trying again."
  static let closedBefore =
    "The client was closed before the answer came. Look at the state before trying again."
}

extension Parcel {
  func holds(_ token: ActionToken) -> Bool { members.contains { $0.token == token } }

  mutating func burn(_ code: Code, _ text: String) { burning = Burning(code: code, text: text) }

  func settled(_ resolution: Resolution) -> [Outbox.Settled] {
    members.map {
      Outbox.Settled(token: $0.token, number: $0.number, resolution: resolution)
    }
  }

  func isTooLarge(for limits: Limits) -> Bool {
    weight + 256 > limits.request || members.count > min(limits.entries, limits.window)
  }

  func tooLargeText(for limits: Limits) -> String {
    members.count > min(limits.entries, limits.window)
      ? "\(members.count) actions in one commit; the daemon takes \(min(limits.entries, limits.window))."
      : "The action takes \(weight) bytes; the daemon takes requests of \(limits.request)."
  }
}
