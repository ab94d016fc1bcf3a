import StatecastDaemon
import TallyFeature

/// The daemon: the feature, where it begins, and what clients may watch.
@main
struct TallyDaemon: DaemonApp {
  var name: String { "tally" }
  var reducer: Tally { Tally() }
  var initialState: Tally.State { Tally.State() }
  var views: [ViewDefinition<Tally.State>] {
    [
      ViewDefinition("tally") { $0 },
      ViewDefinition("parity", reads: \.count) { $0.isMultiple(of: 2) },
    ]
  }
}
