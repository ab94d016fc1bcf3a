import StateModel
import SyncProtocol

/// A client process with its sockets. Killed, it is another one with the same place in the world.
struct SimulatedClient {
  struct View {
    var token: ViewToken
    var projection: ToyProjection
    var follows: Bool
    /// Where it was when it was last compared.
    var judged: Position?
  }

  var machine: ClientMachine
  /// Of the process: replies to one that was killed reach nobody.
  var life: Int
  var link = SimulatedLink()
  /// When it last heard anything on its link; nil while it has subscribed nothing.
  var heard: Moment?
  var views: [View] = []
  /// Submitted and not resolved.
  var unresolved: [ActionToken] = []
  /// Actions that were acknowledged as applied.
  var acknowledged: [UInt64] = []
  /// Those that it named as undone.
  var undone: Set<UInt64> = []
  /// Done, and not yet shown by all mirrors.
  var unreached: Set<ActionToken> = []
  var questions: Set<AskToken> = []
  /// What its bindings have set and the mirrors do not show yet.
  var sets = PendingSets()
  /// The sets that were sent, until their action is resolved and shown.
  var settings: [ActionToken: PendingSets.Setting] = [:]
  /// What a person has set last, and sees.
  var wanted: UInt64?
  /// The last of its sets that is in the journal.
  var lastAssigned: UInt64 = 0
  /// Actions whose effects it waits for.
  var followed: Set<ActionToken> = []
  /// Actions that start an effect.
  var effectful: Set<ActionToken> = []
  /// The calls that it is at, with the names that they carry.
  var invocations: [CallKey: UInt64] = [:]

  func replica(of view: View) -> ToyReplica? {
    machine.replica(of: view.token) as? ToyReplica
  }
}
