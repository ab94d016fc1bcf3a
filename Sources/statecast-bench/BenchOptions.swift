/// How much is measured.
struct BenchOptions: Equatable {
  /// Of the floor and ours; the median counts.
  var pairs = 9
  /// Of each measurement; half as long is run before it to warm up.
  var seconds = 0.3
  /// Actions a second of the open loop.
  var rate = 10_000
  /// Short runs of a few cases' smaller sizes, for a first look.
  var isQuick = false
  /// Whether Redis and NATS run beside.
  var hasPeers = false
  /// Groups of cases; nil for all.
  var groups: [String]?
  /// Clients that start, one after the other, in `joiners`.
  var rounds = 200
  /// How long a subscriber is stopped in `stopped`, and under how many actions.
  var stoppedSeconds = 15.0
  var stoppedActions = 25_000

  init() {}

  /// Flags as `--pairs 9`; nil when one is unknown or its value is none.
  init?(arguments: [String]) {
    if arguments.contains("--quick") {
      isQuick = true
      pairs = 2
      seconds = 0.1
      rounds = 20
    }
    var words = arguments[...]
    while let flag = words.popFirst() {
      switch flag {
      case "--quick": continue
      case "--peers": hasPeers = true
      case "--pairs":
        guard let value = words.popFirst().flatMap({ Int($0) }), value > 0 else { return nil }
        pairs = value
      case "--rounds":
        guard let value = words.popFirst().flatMap({ Int($0) }), value > 0 else { return nil }
        rounds = value
      case "--actions":
        guard let value = words.popFirst().flatMap({ Int($0) }), value > 0 else { return nil }
        stoppedActions = value
      case "--rate":
        guard let value = words.popFirst().flatMap({ Int($0) }), (1...1_000_000).contains(value)
        else { return nil }
        rate = value
      case "--seconds":
        guard let value = words.popFirst().flatMap({ Double($0) }), value > 0, value <= 60 else {
          return nil
        }
        seconds = value
      case "--stopped":
        guard let value = words.popFirst().flatMap({ Double($0) }), value > 0, value <= 3600 else {
          return nil
        }
        stoppedSeconds = value
      case "--only":
        guard let value = words.popFirst() else { return nil }
        groups = value.split(separator: ",").map(String.init)
      default: return nil
      }
    }
  }

  func allows(_ contender: Contender) -> Bool {
    switch contender {
    case .ours, .dealer, .floor: true
    case .redis, .nats: hasPeers && contender.missing == nil
    }
  }
}
