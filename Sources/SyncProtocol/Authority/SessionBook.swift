/// All sessions: who they are, what became of their actions, and which may be forgotten.
///
/// Sessions live in slots and are changed in place; the dictionary is looked into once a request.
struct SessionBook {
  private(set) var slots: [Session] = []
  private var vacant: [Int] = []
  private var index: [SessionID: Int] = [:]
  private var numbers: [PublicNumber: Int] = [:]
  /// How many attached sessions each connection has.
  private var attached: [[UInt8]: Int] = [:]
  /// Unknown sessions with a base below this are `expired`.
  var floor: CommitNumber
  private(set) var nextPublicNumber: PublicNumber
  /// The highest mail number of a session that was forgotten: of a blank one nothing is lost, and it is
  /// opened anew when its client comes back, which takes mail that it had for mail that it has.
  private var mailGiven: UInt64 = 0

  init(_ table: SessionTable) {
    floor = table.floor
    nextPublicNumber = table.nextPublicNumber
    // In the order of public numbers, so that the same table always gives the same slots.
    for (id, record) in table.records.sorted(by: { $0.value.publicNumber < $1.value.publicNumber })
    {
      index[id] = slots.count
      numbers[record.publicNumber] = slots.count
      slots.append(
        Session(
          id: id, base: record.base, owner: record.owner, publicNumber: record.publicNumber,
          window: OutcomeWindow(last: record.last, kept: record.outcomes),
          durableLast: record.last, acked: record.acked))
    }
  }

  /// How many sessions are known.
  var count: Int { index.count }

  subscript(slot: Int) -> Session {
    _read { yield slots[slot] }
    _modify { yield &slots[slot] }
  }

  func find(_ id: SessionID) -> Int? { index[id] }

  func slot(of number: PublicNumber) -> Int? { numbers[number] }

  func ref(_ slot: Int) -> SessionRef { SessionRef(slot: slot, generation: slots[slot].generation) }

  /// The slot of a session that may have been dropped meanwhile.
  func slot(_ ref: SessionRef) -> Int? {
    let session = slots[ref.slot]
    return session.generation == ref.generation && !session.isVacant ? ref.slot : nil
  }

  /// Takes in a new session. The caller has made room.
  mutating func open(_ id: SessionID, base: CommitNumber, owner: String) -> Int {
    var session = Session(
      id: id, base: base, owner: owner, publicNumber: nextPublicNumber, window: OutcomeWindow(),
      durableLast: 0)
    session.mail = Mailbox(after: mailGiven)
    nextPublicNumber += 1
    return place(session)
  }

  private mutating func place(_ session: Session) -> Int {
    var session = session
    session.isVacant = false
    let slot: Int
    if let free = vacant.popLast() {
      slot = free
      session.generation = slots[slot].generation &+ 1
      slots[slot] = session
    } else {
      slot = slots.count
      slots.append(session)
    }
    index[session.id] = slot
    numbers[session.publicNumber] = slot
    return slot
  }

  /// Forgets the session that can be spared best: one that is not attached and has nothing under
  /// way; blank ones first, for nothing of them is lost, then the one with the lowest base, for it
  /// raises the floor least. Nil when every session is in use.
  ///
  /// Protocol, section 7, drops the lowest base first; attached sessions are spared here, because
  /// dropping one would turn its next action into `expired` while its client is at work.
  mutating func dropOne() -> Session? {
    var best: Int?
    for slot in slots.indices where !slots[slot].isVacant {
      let session = slots[slot]
      if session.isAttached || !session.isSettled { continue }
      guard let found = best else {
        best = slot
        continue
      }
      let other = slots[found]
      if session.isBlank != other.isBlank ? session.isBlank : session.base < other.base {
        best = slot
      }
    }
    guard let slot = best else { return nil }
    let session = slots[slot]
    index[session.id] = nil
    numbers[session.publicNumber] = nil
    slots[slot].isVacant = true
    slots[slot].window = OutcomeWindow()
    slots[slot].views = []
    vacant.append(slot)
    mailGiven = max(mailGiven, session.mail.last)
    if !session.isBlank { floor = max(floor, session.base.next) }
    return session
  }

  // MARK: Connections

  /// The session is attached by this connection.
  mutating func attach(_ slot: Int, by route: Route) {
    let connection = route.envelope.first ?? []
    slots[slot].isAttached = true
    guard slots[slot].connection != connection else { return }
    forgetConnection(of: slot)
    slots[slot].connection = connection
    attached[connection, default: 0] += 1
  }

  /// The session is not attached any more.
  mutating func detach(_ slot: Int) {
    slots[slot].isAttached = false
    forgetConnection(of: slot)
  }

  private mutating func forgetConnection(of slot: Int) {
    guard let connection = slots[slot].connection else { return }
    slots[slot].connection = nil
    let left = (attached[connection] ?? 0) - 1
    attached[connection] = left > 0 ? left : nil
  }

  /// The session that has to go for one of `newcomer`'s where all are in use: of the connection that
  /// has most of them, the one that was silent for longest. Nil where the newcomer would then have as
  /// many as that one: nobody gets in by pushing.
  func greediest(beside newcomer: Route) -> (slot: Int, ofSessions: Int)? {
    let own = newcomer.envelope.first.flatMap { attached[$0] } ?? 0
    guard let most = attached.max(by: { $0.value < $1.value }), most.value > own + 1 else {
      return nil
    }
    var found: Int?
    for slot in slots.indices where slots[slot].connection == most.key {
      guard !slots[slot].isVacant, slots[slot].isSettled else { continue }
      if let best = found, slots[best].lastHeard <= slots[slot].lastHeard { continue }
      found = slot
    }
    return found.map { ($0, most.value) }
  }

  /// Takes back sessions whose dropping did not become durable.
  mutating func restore(_ dropped: [Session], floor: CommitNumber) {
    self.floor = floor
    for session in dropped {
      if let slot = index[session.id] {
        // Opened anew meanwhile, which was not durable either: the old one is the truth.
        forgetConnection(of: slot)
        let generation = slots[slot].generation
        numbers[slots[slot].publicNumber] = nil
        numbers[session.publicNumber] = slot
        slots[slot] = session
        slots[slot].generation = generation
      } else {
        _ = place(session)
      }
    }
  }

  /// The table as of the newest durable row. `dropped` are the sessions that a batch which is not
  /// durable has dropped, `floor` the floor before it.
  func durableTable(
    dropped: [Session], floor: CommitNumber, window: Int
  ) -> SessionTable {
    var table = SessionTable(floor: floor, nextPublicNumber: nextPublicNumber)
    table.records.reserveCapacity(count)
    for session in slots where !session.isVacant { session.add(to: &table, window: window) }
    for session in dropped { session.add(to: &table, window: window) }
    return table
  }
}

extension Session {
  /// Adds what is durable of the session; nothing of one that has no entry in the journal.
  fileprivate func add(to table: inout SessionTable, window limit: Int) {
    guard durableLast > 0 else { return }
    let durable = window.all.prefix { $0.outcome.number <= durableLast }
    table.records[id] = SessionTable.Record(
      base: base, owner: owner, publicNumber: publicNumber, last: durableLast, acked: acked,
      outcomes: Array(durable.suffix(limit)))
  }
}
