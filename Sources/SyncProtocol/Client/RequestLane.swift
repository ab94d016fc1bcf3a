/// One channel's request in flight, and when to stop waiting for its answer.
///
/// At most one is in flight on a channel, so a client whose channels are plain REQ sockets works
/// the same way. libzmq never sends anything again: this timer does. What is sent again is decided
/// anew by whoever needs the answer, under a new request number; an answer to an older number finds
/// no flight and is dropped.
struct RequestLane: Sendable {
  struct Flight: Sendable {
    var request: UInt64
    var purpose: RequestPurpose
    var deadline: Moment
  }

  private(set) var flight: Flight?
  private var patience: Backoff

  init(timing: Timing) { patience = Backoff(first: timing.retry, longest: timing.longestRetry) }

  var isFree: Bool { flight == nil }

  mutating func begin(
    _ purpose: RequestPurpose, request: UInt64, at now: Moment, using random: inout SeedStream
  ) {
    flight = Flight(
      request: request, purpose: purpose, deadline: now + patience.next(using: &random))
  }

  /// What the reply answers; nil when it answers nothing that is still waited for.
  mutating func answered(_ request: UInt64) -> RequestPurpose? {
    guard let flight, flight.request == request else { return nil }
    self.flight = nil
    patience.reset()
    return flight.purpose
  }

  /// What has waited too long, and now waits no more.
  mutating func expired(at now: Moment) -> RequestPurpose? {
    guard let flight, flight.deadline <= now else { return nil }
    self.flight = nil
    return flight.purpose
  }

  /// Waits no more: the answer would be of no use.
  mutating func cancel() { flight = nil }
}

/// Why a request is out.
enum RequestPurpose: Equatable, Sendable {
  /// The views it asked for, in order.
  case hello([ViewToken])
  case join([ViewToken])
  case leave
  /// The numbers it carries.
  case act(ClosedRange<ActionNumber>)
  case outcome(ClosedRange<ActionNumber>)
  /// How many silences there had been when it was sent.
  case alive(silences: Int)
  /// A mirror's own; `generation` tells an answer that the mirror has no use for any more.
  case mirror(ViewToken, generation: UInt64)
  case ask(AskToken)
  case call(CallToken)
  case cancelCall(CallToken)
  case giveBack(CallKey)
  case watch(ActionToken)
  case cancelTask(ActionToken)
}
