package import StateModel

/// A decoded request: header `[1, kind, request, session, epoch|null]` and body.
package struct Request: Equatable, Sendable {
  /// The client's number for it, repeated in the reply.
  package var id: UInt64
  package var session: SessionID
  /// The epoch the client believes in; `act` and `outcome` are refused when it is another one's.
  package var epoch: Epoch?
  package var body: Body

  package init(id: UInt64, session: SessionID, epoch: Epoch?, body: Body) {
    self.id = id
    self.session = session
    self.epoch = epoch
    self.body = body
  }

  package enum Body: Equatable, Sendable {
    indirect case hello(Hello)
    case join(Join)
    case leave([Topic])
    case act(Act)
    /// A dry run of one entry; takes no number.
    case trial(Entry)
    case outcome(OutcomeQuery)
    /// The view's published value, by topic.
    case snapshot(Topic)
    /// The deltas of a view after `from`.
    case replay(Topic, from: CommitNumber)
    /// A piece of a large answer.
    case chunk(answer: UInt64, offset: UInt64)
    case alive(Alive)
    /// Calls a handle; the result comes as mail.
    case call(Call)
    /// What a call that this session was given came to.
    case giveBack(CallReturn)
    /// Whatever a call or a commit's effects are doing is to end.
    case cancel(Cancelled)
    /// Asks for mail when everything that this commit started has ended.
    case wait(CommitNumber)
    case bye
    case views
    case schema
    case sessions
    case stats
    case log(from: CommitNumber, limit: UInt64)
    /// Asks the daemon to stop as SIGTERM would; needs the admin role.
    case stop
    /// A kind that the protocol reserves or that is unknown: answered `not-offered`.
    case other(kind: String)
  }
}

/// Opens or continues a session, and asks for views.
package struct Hello: Equatable, Sendable {
  /// The oldest and newest protocol version the client speaks.
  package var versions: ClosedRange<UInt64>
  /// What the first hello of this session was given; nil before that.
  package var base: CommitNumber?
  /// The highest durable commit that the client has read, with the history it was on.
  package var seen: Seen?
  /// Outcomes up to this number have been received.
  package var acked: ActionNumber
  package var doorbell: Nonce?
  /// Whether the session wants to be listed as present.
  package var present: Bool
  /// What it wants to be called where those present are listed; may be empty.
  package var name: String
  package var views: [ViewRequest]

  package struct Seen: Equatable, Sendable {
    package var lineage: Lineage
    package var epoch: Epoch
    package var durable: CommitNumber
    package init(lineage: Lineage, epoch: Epoch, durable: CommitNumber) {
      self.lineage = lineage
      self.epoch = epoch
      self.durable = durable
    }
  }

  package init(
    versions: ClosedRange<UInt64> = 1...1, base: CommitNumber? = nil, seen: Seen? = nil,
    acked: ActionNumber = 0, doorbell: Nonce? = nil, present: Bool = false,
    name: String = "", views: [ViewRequest] = []
  ) {
    self.versions = versions
    self.base = base
    self.seen = seen
    self.acked = acked
    self.doorbell = doorbell
    self.present = present
    self.name = name
    self.views = views
  }
}

/// A view that a client wants, and where its mirror stands.
package struct ViewRequest: Equatable, Sendable {
  package var name: String
  /// The encoded parameters; `f6` (null) for none.
  package var parameters: [UInt8]
  /// The hash of the schema that the client was built with; nil for generic clients.
  package var schemaHash: UInt64?
  package var position: Position?

  package init(
    name: String, parameters: [UInt8] = [0xF6], schemaHash: UInt64? = nil,
    position: Position? = nil
  ) {
    self.name = name
    self.parameters = parameters
    self.schemaHash = schemaHash
    self.position = position
  }
}

/// Adds views to an open session.
package struct Join: Equatable, Sendable {
  package var doorbell: Nonce?
  package var views: [ViewRequest]
  package init(doorbell: Nonce?, views: [ViewRequest]) {
    self.doorbell = doorbell
    self.views = views
  }
}

/// Actions, in order. The only request that changes the state.
package struct Act: Equatable, Sendable {
  package var base: CommitNumber
  package var acked: ActionNumber
  package var entries: [Numbered]
  /// All entries are one commit, or none is applied.
  package var atomic: Bool

  package struct Numbered: Equatable, Sendable {
    package var number: ActionNumber
    package var entry: Entry
    package init(number: ActionNumber, entry: Entry) {
      self.number = number
      self.entry = entry
    }
  }

  package init(
    base: CommitNumber, acked: ActionNumber = 0, entries: [Numbered], atomic: Bool = false
  ) {
    self.base = base
    self.acked = acked
    self.entries = entries
    self.atomic = atomic
  }
}

/// What a client wants done.
package struct Entry: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// An encoded action of the app.
    case perform(action: [UInt8])
    /// A field of the allow-list, by its canonical name, and its encoded value.
    case set(field: String, value: [UInt8])
    /// A button of an alert or dialog that is in the state; nil dismisses it.
    case answer(alert: [UInt8], button: UInt64?)
    /// The session offers a handle of this name.
    case offer(name: String)
    /// It takes the handle back.
    case withdraw(name: String)
    /// A kind that is unknown.
    case other(kind: String)
  }

  /// Compare-and-set: the digest that the value at a path must have.
  package struct Expectation: Equatable, Sendable {
    /// Encoded path elements, from the root state (in `set`: from the field).
    package var path: [[UInt8]]
    package var digest: Digest
    package init(path: [[UInt8]], digest: Digest) {
      self.path = path
      self.digest = digest
    }
  }

  package var kind: Kind
  package var expectations: [Expectation]
  /// Only if the state is still that of this commit.
  package var ifCommit: CommitNumber?

  package init(
    _ kind: Kind, expectations: [Expectation] = [], ifCommit: CommitNumber? = nil
  ) {
    self.kind = kind
    self.expectations = expectations
    self.ifCommit = ifCommit
  }
}

/// A call of a handle.
package struct Call: Equatable, Sendable {
  /// Rises within the session; repeated, it is answered the same.
  package var id: UInt64
  package var handle: HandleName
  /// An encoded value.
  package var argument: [UInt8]
  /// How long it may take; zero for as long as the daemon says.
  package var deadline: Duration
  package init(id: UInt64, handle: HandleName, argument: [UInt8], deadline: Duration) {
    self.id = id
    self.handle = handle
    self.argument = argument
    self.deadline = deadline
  }
}

/// A handle as it stands in the state.
package struct HandleName: Hashable, Sendable {
  package var owner: PublicNumber
  /// The run of the daemon in which it was offered.
  package var epoch: Epoch
  package var name: String
  package init(owner: PublicNumber, epoch: Epoch, name: String) {
    self.owner = owner
    self.epoch = epoch
    self.name = name
  }
}

/// A call in one run of a daemon.
package struct CallKey: Hashable, Sendable {
  package var caller: PublicNumber
  package var id: UInt64
  package init(caller: PublicNumber, id: UInt64) {
    self.caller = caller
    self.id = id
  }
}

/// What a call came to.
package struct CallEnd: Equatable, Sendable {
  /// `ok`, or why there is no result.
  package var code: Code
  /// A sentence for a person; empty when all is well.
  package var text: String
  /// An encoded value; null where there is none.
  package var result: [UInt8]
  package init(code: Code, text: String = "", result: [UInt8] = [0xF6]) {
    self.code = code
    self.text = text
    self.result = result
  }
}

/// The owner's answer to a call.
package struct CallReturn: Equatable, Sendable {
  package var key: CallKey
  package var end: CallEnd
  package init(key: CallKey, end: CallEnd) {
    self.key = key
    self.end = end
  }
}

/// What a session does not want to go on.
package enum Cancelled: Equatable, Sendable {
  /// A call of its own, also one that has not come yet.
  case call(UInt64)
  /// What an action of its own started, by the action's commit.
  case commit(CommitNumber)
}

/// What became of these numbers; those above the last are burnt (`cancelled`), durably.
package struct OutcomeQuery: Equatable, Sendable {
  package var base: CommitNumber
  package var acked: ActionNumber
  package var numbers: [ActionNumber]
  package init(base: CommitNumber, acked: ActionNumber = 0, numbers: [ActionNumber]) {
    self.base = base
    self.acked = acked
    self.numbers = numbers
  }
}

/// A sign of life that also compares positions.
package struct Alive: Equatable, Sendable {
  package var numbers: [Topic: CommitNumber]
  /// The highest mail number received.
  package var mail: UInt64
  package init(numbers: [Topic: CommitNumber] = [:], mail: UInt64 = 0) {
    self.numbers = numbers
    self.mail = mail
  }
}
