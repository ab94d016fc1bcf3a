/// One channel's requests in flight, and when to stop waiting for their answers.
///
/// One is in flight on a channel; behind it on the actions' channel at most one more with fresh
/// actions, and on the data channel behind a chunk a few more of the same value: the daemon works on
/// while the first one's answer travels. A client whose channels are
/// plain REQ sockets has one. libzmq never sends anything again: this timer does. What is sent again is decided
/// anew by whoever needs the answer, under a new request number; an answer to an older number finds
/// no flight and is dropped.
struct RequestLane: Sendable {
  struct Flight: Sendable {
    var request: UInt64
    var purpose: RequestPurpose
    var deadline: Moment
  }

  /// In the order in which they were sent.
  private(set) var flights: [Flight] = []
  private var patience: Backoff

  init(timing: Timing) { patience = Backoff(first: timing.retry, longest: timing.longestRetry) }

  var isFree: Bool { flights.isEmpty }
  /// The one that was sent first.
  var flight: Flight? { flights.first }

  mutating func begin(
    _ purpose: RequestPurpose, request: UInt64, at now: Moment, using random: inout SeedStream
  ) {
    flights.append(
      Flight(request: request, purpose: purpose, deadline: now + patience.next(using: &random)))
  }

  /// What the reply answers; nil when it answers nothing that is still waited for.
  mutating func answered(_ request: UInt64) -> RequestPurpose? {
    guard let index = flights.firstIndex(where: { $0.request == request }) else { return nil }
    patience.reset()
    return flights.remove(at: index).purpose
  }

  /// What has waited too long, and now waits no more; what was sent behind it does not either.
  mutating func expired(at now: Moment) -> RequestPurpose? {
    guard let flight, flight.deadline <= now else { return nil }
    flights = []
    return flight.purpose
  }

  /// Waits no more: the answers would be of no use.
  mutating func cancel() { flights = [] }

  /// Waits no more for some of them.
  mutating func cancel(where isUseless: (RequestPurpose) -> Bool) {
    flights.removeAll { isUseless($0.purpose) }
  }

  /// The numbers of the actions that are under way, where nothing else is.
  var numbers: ClosedRange<ActionNumber>? {
    var numbers: ClosedRange<ActionNumber>?
    for flight in flights {
      guard case .act(let more) = flight.purpose else { return nil }
      numbers = (numbers ?? more).lowerBound...more.upperBound
    }
    return numbers
  }
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
