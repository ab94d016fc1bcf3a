internal import StateModel

/// What was drained together: entries for one row, and every reply that read what they did.
///
/// Nothing that read state, session table or an outcome window leaves by another way than this queue
/// (protocol, section 6): it is released by the fsync of the batch's row.
struct Batch<Work> {
  /// What a batch did to one session.
  struct Touch {
    var session: SessionRef
    /// The highest number it consumed.
    var last: ActionNumber
    /// Bytes of payloads.
    var bytes: Int
  }

  /// An action of the daemon's own: it goes back to the inbox when the batch is undone.
  enum OwnWork: Equatable {
    case started
    case effect(action: [UInt8], cause: CommitNumber)
    case presence(Attendance)
    /// A question's deadline has come.
    case deadline(DueAnswer)
  }

  /// What a commit starts once it is durable.
  struct Start {
    var work: Work?
    var commit: CommitNumber
    /// Whose action it was; nil for the daemon's own.
    var origin: PublicNumber?
    /// The commit whose effect sent the action.
    var sentBy: CommitNumber?
  }

  /// A handle that can be called, or not any more, once the batch is published.
  struct HandleChange {
    var session: SessionRef
    var name: String
    var isOffered: Bool
  }

  /// Tells batches apart; rises.
  var serial: UInt64
  /// The commit before its first one.
  var base: CommitNumber
  /// Its last commit.
  var last: CommitNumber
  /// The row's entries; empty in memory mode.
  var entries: [JournalEntry] = []
  /// Outcomes in it, rejections and the daemon's own included.
  var outcomeCount = 0
  var bytes = 0
  /// Who made its only commit.
  var origin: PublicNumber?
  var touched: [Touch] = []
  var work: [Start] = []
  var log: [ActionLog.Item] = []
  var own: [OwnWork] = []
  var handles: [HandleChange] = []
  var dropped: [Session] = []
  /// The retention floor before it.
  var floorBefore: CommitNumber
  /// Views to project when it closes, live or not.
  var wanted: [Int] = []
  /// Views that it publishes, once it is closed.
  var publishing: [Int] = []
  /// The row's id, once it is closed.
  var row: UInt64 = 0
  /// The one queue of outgoing replies.
  var replies: [PendingReply] = []

  init(serial: UInt64, after base: CommitNumber, floor: CommitNumber) {
    self.serial = serial
    self.base = base
    last = base
    floorBefore = floor
  }

  /// Begins anew behind a commit; it is empty.
  mutating func begin(serial: UInt64, after base: CommitNumber, floor: CommitNumber) {
    self.serial = serial
    self.base = base
    last = base
    floorBefore = floor
  }

  /// Drops everything in it, and keeps the memory of an ordinary batch's arrays.
  mutating func empty() {
    let keeps = outcomeCount <= Self.outcomesKept && replies.count <= Self.outcomesKept
    entries.removeAll(keepingCapacity: keeps)
    outcomeCount = 0
    bytes = 0
    origin = nil
    touched.removeAll(keepingCapacity: keeps)
    work.removeAll(keepingCapacity: keeps)
    log.removeAll(keepingCapacity: keeps)
    own.removeAll(keepingCapacity: keeps)
    handles.removeAll(keepingCapacity: keeps)
    dropped.removeAll(keepingCapacity: keeps)
    wanted.removeAll(keepingCapacity: keeps)
    publishing.removeAll(keepingCapacity: keeps)
    row = 0
    replies.removeAll(keepingCapacity: keeps)
  }

  /// From so many on the memory is given back.
  private static var outcomesKept: Int { 1024 }

  /// Whether it needs a row.
  var needsRow: Bool { !entries.isEmpty || !dropped.isEmpty }
  /// Whether closing it does anything at all.
  var isEmpty: Bool {
    outcomeCount == 0 && replies.isEmpty && wanted.isEmpty && dropped.isEmpty
  }

  /// Takes in what another batch without entries has: it leaves with this one.
  mutating func absorb(_ later: Batch) {
    publishing += later.publishing
    wanted += later.wanted
    handles += later.handles
    log += later.log
    replies += later.replies
  }
}
