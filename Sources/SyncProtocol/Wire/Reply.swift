package import StateModel

/// A decoded reply: header `[1, code, request, lineage, epoch, commit, durable, oldest]` and body.
package struct Reply: Equatable, Sendable {
  package var header: Header
  package var body: Body

  package struct Header: Equatable, Sendable {
    package var code: Code
    package var request: UInt64
    package var lineage: Lineage
    package var epoch: Epoch
    /// The published commit.
    package var commit: CommitNumber
    /// The newest commit that is in the journal.
    package var durable: CommitNumber
    /// The oldest commit from which the journal can replay.
    package var oldest: CommitNumber

    package init(
      code: Code, request: UInt64, lineage: Lineage, epoch: Epoch, commit: CommitNumber,
      durable: CommitNumber, oldest: CommitNumber
    ) {
      self.code = code
      self.request = request
      self.lineage = lineage
      self.epoch = epoch
      self.commit = commit
      self.durable = durable
      self.oldest = oldest
    }
  }

  package enum Body: Equatable, Sendable {
    /// Apart from the others, which are passed on for each action and need not be as large.
    indirect case hello(HelloAnswer)
    case join([ViewAnswer])
    case act(ActAnswer)
    case trial(code: Code, text: String, delta: Delta)
    case snapshot(ViewAnswer)
    case replay(ViewAnswer)
    case chunk(Chunk)
    case alive(AliveAnswer)
    /// Any other answer, as a plain value (`views`, `schema`, `sessions`, `stats`, `log`).
    case value(Value)
    /// The same, encoded already: what the daemon makes once and sends often. It is read as `value`.
    case encodedValue([UInt8])
    /// A refusal's sentence for a person; empty for a bare `ok`.
    case text(String)
  }

  package init(header: Header, body: Body) {
    self.header = header
    self.body = body
  }
}

/// What hello is answered.
package struct HelloAnswer: Equatable, Sendable {
  package var base: CommitNumber
  /// The highest action number the daemon has of this session.
  package var last: ActionNumber
  package var publicNumber: PublicNumber
  package var limits: Limits
  package var beat: Duration
  /// One per view asked for, in that order.
  package var views: [ViewAnswer]
  /// The newest epochs of the daemon's history, its own last; only where that is not the client's.
  package var epochs: [EpochRecord]

  /// How many epochs are told.
  package static let epochsTold = 256

  package init(
    base: CommitNumber, last: ActionNumber, publicNumber: PublicNumber, limits: Limits,
    beat: Duration, views: [ViewAnswer], epochs: [EpochRecord] = []
  ) {
    self.base = base
    self.last = last
    self.publicNumber = publicNumber
    self.limits = limits
    self.beat = beat
    self.views = views
    self.epochs = epochs
  }
}

/// How one view goes on.
package struct ViewAnswer: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// From the client's position: the deltas in order, perhaps none.
    case resume([Delta])
    /// A value, and why: `fresh`, `compacted`, `history`, `schema`, `too far`.
    case snapshot(value: [UInt8], reason: String)
    /// As `snapshot`, but too large for one answer: pulled in chunks.
    case pull(answer: UInt64, size: UInt64, reason: String)
    /// Unknown view, bad parameters or over a limit.
    case refused(code: Code, text: String)
  }

  package var topic: Topic
  /// The position after the content.
  package var number: CommitNumber
  package var digest: Digest
  package var content: Content

  package init(topic: Topic, number: CommitNumber, digest: Digest, content: Content) {
    self.topic = topic
    self.number = number
    self.digest = digest
    self.content = content
  }
}

/// What `act` and `outcome` are answered.
package struct ActAnswer: Equatable, Sendable {
  package var outcomes: [Outcome]
  /// The views of this session that this batch published, with their numbers.
  package var views: [Topic: CommitNumber]
  /// The highest number of this session that is consumed.
  package var last: ActionNumber
  package init(
    outcomes: [Outcome], views: [Topic: CommitNumber] = [:], last: ActionNumber = 0
  ) {
    self.outcomes = outcomes
    self.views = views
    self.last = last
  }
}

/// What became of one action.
package struct Outcome: Equatable, Sendable {
  package var number: ActionNumber
  package var code: Code
  /// The commit it became; nil when there was none.
  package var commit: CommitNumber?
  /// A sentence for a person; empty when all is well.
  package var text: String
  /// What the text is about: encoded path elements from the root; empty for none.
  package var path: [[UInt8]]

  package init(
    number: ActionNumber, code: Code, commit: CommitNumber? = nil, text: String = "",
    path: [[UInt8]] = []
  ) {
    self.number = number
    self.code = code
    self.commit = commit
    self.text = text
    self.path = path
  }
}

/// A piece of a large answer.
package struct Chunk: Equatable, Sendable {
  package var answer: UInt64
  package var offset: UInt64
  package var size: UInt64
  /// Where it stands, here in the value and there in the reply: many are made, none is copied.
  package var bytes: ArraySlice<UInt8>
  package init(answer: UInt64, offset: UInt64, size: UInt64, bytes: ArraySlice<UInt8>) {
    self.answer = answer
    self.offset = offset
    self.size = size
    self.bytes = bytes
  }
}

/// What `alive` is answered.
package struct AliveAnswer: Equatable, Sendable {
  package var commit: CommitNumber
  /// The published numbers of the views that the client named.
  package var numbers: [Topic: CommitNumber]
  /// Those that were behind already one beat ago: their mirrors are to resynchronise.
  package var behind: [Topic]
  package var mail: [Mail]
  /// The session's record of being alive had lapsed.
  package var helloAgain: Bool

  package init(
    commit: CommitNumber, numbers: [Topic: CommitNumber], behind: [Topic], mail: [Mail],
    helloAgain: Bool
  ) {
    self.commit = commit
    self.numbers = numbers
    self.behind = behind
    self.mail = mail
    self.helloAgain = helloAgain
  }
}

/// What is for one client alone: numbered per session, kept until acknowledged.
package struct Mail: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case goingAway(String)
    case evicted(String)
    /// A handle of this session is called: how long it may take, and the argument.
    case call(CallKey, name: String, deadline: Duration, argument: [UInt8])
    /// Nobody waits any more for what this call comes to.
    case cancelCall(CallKey)
    /// What a call of this session came to.
    case result(UInt64, CallEnd)
    /// Everything that a commit started has ended.
    case ended(CommitNumber, code: Code, text: String)
    /// The session was silent for too long: whatever it waited for before this is nobody's any more.
    case lapsed(String)
    case other(kind: String)
  }
  package var number: UInt64
  package var content: Content
  package init(number: UInt64, content: Content) {
    self.number = number
    self.content = content
  }

  /// About how many bytes it takes in an answer.
  var weight: Int {
    switch content {
    case .goingAway(let text), .evicted(let text), .lapsed(let text), .other(let text):
      Self.overhead + text.utf8.count
    case .call(_, let name, _, let argument):
      Self.overhead + name.utf8.count + argument.count
    case .cancelCall: Self.overhead
    case .result(_, let end): Self.overhead + end.text.utf8.count + end.result.count
    case .ended(_, _, let text): Self.overhead + text.utf8.count
    }
  }

  /// What an item takes beside its payload.
  static let overhead = 48
}
