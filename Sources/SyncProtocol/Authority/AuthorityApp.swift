package import StateModel

/// The app behind the daemon's machine: the one state, and what an entry does to it.
///
/// A value: copying it is how the machine keeps what it may have to return to.
package protocol AuthorityApp {
  /// Effects to start once the commit that made them is durable.
  associatedtype Work
  /// A live projection.
  associatedtype View: AuthorityView where View.App == Self
  /// The state and whatever belongs to it, copied at O(1). Snapshots are encoded on another thread.
  associatedtype Checkpoint: Sendable

  /// The state now.
  var checkpoint: Checkpoint { get }
  /// Returns to an earlier state: a batch was refused by the journal.
  mutating func restore(_ checkpoint: Checkpoint)
  /// The digest of the root state.
  var rootDigest: Digest { get }
  /// Of the root state's schema; kept with every row.
  var schemaHash: UInt64 { get }
  /// Whether the first commit of every epoch is to be `CommitEntry.Kind.started`.
  var wantsStarted: Bool { get }
  /// Whether coming and going of clients are to be commits (`CommitEntry.Kind.presence`).
  var wantsPresence: Bool { get }

  /// Runs one entry with its whole synchronous cascade. Leaves the state alone unless the code is
  /// `ok` or `noChange`.
  mutating func perform(_ entry: CommitEntry) -> Performed<Work>

  /// Projects a view for the first time; throws for an unknown name or unfit parameters.
  func openView(name: String, parameters: [UInt8]) throws(ViewRefusal) -> View

  /// The views on offer, for `views`.
  var viewNames: [String] { get }
  /// The schema of state, actions and views, for `schema`.
  var schemaDescription: Value { get }
  /// Whether `dueAnswers` may ever have one.
  var asksQuestions: Bool { get }
  /// The questions of the present state that are answered by themselves, the earliest first.
  var dueAnswers: [DueAnswer] { get }
}

extension AuthorityApp {
  /// It does not.
  package var asksQuestions: Bool { false }
  /// None.
  package var dueAnswers: [DueAnswer] { [] }
}

/// An answer that is given by itself when its time comes.
package struct DueAnswer: Equatable, Sendable {
  /// The question's encoded id.
  package var alert: [UInt8]
  /// The button's index; nil dismisses.
  package var button: UInt64?
  /// Seconds since 2001-01-01.
  package var date: Double

  package init(alert: [UInt8], button: UInt64?, date: Double) {
    self.alert = alert
    self.button = button
    self.date = date
  }
}

/// An entry on its way into the order.
package struct CommitEntry: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case client(Entry.Kind)
    /// An action of an effect: its encoding, and the commit whose effect sent it.
    case effect(action: [UInt8], cause: CommitNumber)
    /// The first commit of an epoch.
    case started
    /// A client that asked to be listed comes or goes.
    case presence(Attendance)
    /// The state was brought from what an earlier version of the app wrote, with a schema of this
    /// hash, to what this one writes. Made before the machine runs, and never by it.
    case migrated(schemaHash: UInt64)
  }
  package var kind: Kind
  package var expectations: [Entry.Expectation]
  /// The number it gets if it is accepted.
  package var commit: CommitNumber
  /// Who sent it; nil for the daemon itself.
  package var origin: PublicNumber?
  /// The daemon's run.
  package var epoch: Epoch
  /// What who sent it may do.
  package var role = Peer.Role.act
  /// Seconds since 2001-01-01, constant within the commit.
  package var date: Double
  /// Feeds the dependencies' random numbers.
  package var seed: UInt64
  /// Whether the delta of the root state is wanted (there is a journal).
  package var wantsRootDelta: Bool

  package init(
    kind: Kind, expectations: [Entry.Expectation] = [], commit: CommitNumber,
    origin: PublicNumber?, epoch: Epoch = Epoch(rawValue: 0), role: Peer.Role = .act,
    date: Double, seed: UInt64, wantsRootDelta: Bool
  ) {
    self.kind = kind
    self.expectations = expectations
    self.commit = commit
    self.origin = origin
    self.epoch = epoch
    self.role = role
    self.date = date
    self.seed = seed
    self.wantsRootDelta = wantsRootDelta
  }
}

/// What an entry did.
package struct Performed<Work> {
  /// An outcome: `ok`, `noChange`, or why it was not applied.
  package var code: Code
  package var text: String
  package var path: [[UInt8]]
  /// The delta of the root state; empty when none was wanted.
  package var rootDelta: Delta
  package var work: Work?

  package init(
    code: Code, text: String = "", path: [[UInt8]] = [], rootDelta: Delta = .empty,
    work: Work? = nil
  ) {
    self.code = code
    self.text = text
    self.path = path
    self.rootDelta = rootDelta
    self.work = work
  }
}

extension Performed where Work == any Sendable {
  /// What most actions do. Compiled for this type: written for any, it would ask the runtime how
  /// `Work` is laid out.
  package static func changed(_ changed: Bool, _ rootDelta: Delta) -> Performed {
    Performed(code: changed ? .ok : .noChange, rootDelta: rootDelta)
  }
}

/// A projection that follows the state. A value: a copy is a pinned snapshot, which may be encoded on
/// another thread.
package protocol AuthorityView: Sendable {
  associatedtype App
  /// Of the projected value.
  var digest: Digest { get }
  /// Of the view state's schema.
  var schemaHash: UInt64 { get }
  /// Projects anew if what it reads has changed; the delta from the value before, nil when the
  /// projection is identical.
  mutating func refresh(from app: App) -> Delta?
  /// The value, encoded, where that takes at most `limit` bytes; nil where it takes more. Looks at
  /// little more of the value than that. In pieces of `length` bytes, but for the last one.
  func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces?
  /// From an older copy of the same view to this one.
  func delta(from older: Self) -> Delta
}

extension AuthorityView {
  /// The same in one array.
  func encoded(atMost limit: Int) -> [UInt8]? { encodedPieces(of: .max, atMost: limit)?.bytes }
}

/// Why a view cannot be opened.
package struct ViewRefusal: Error, Equatable, Sendable {
  package var code: Code
  package var text: String
  package init(code: Code, text: String) {
    self.code = code
    self.text = text
  }
}
