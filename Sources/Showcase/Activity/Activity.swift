public import Composable
public import FoundationEssentials
public import StateModel

/// Who is logged in, and what happened of late.
///
/// The entries are written by `ActivityFeed`, which wraps the whole app; this reducer only knows
/// the user.
public struct Activity: Reducer {
  /// Older entries are dropped.
  public static let mostEntries = 100

  /// The user and the entries.
  @Mirrored public struct State {
    /// Who is logged in.
    public var user: User?
    /// The latest entries, newest last.
    public var entries = IdentifiedArray<Entry>()
    /// The number of the next entry.
    public var nextNumber = 1

    /// Nobody, and nothing.
    public init() {}
  }

  /// A person.
  @Mirrored public struct User: Identifiable {
    /// Tells people apart.
    public var id: Int
    /// What they are called.
    public var name: String
    /// What they say of themselves.
    public var bio = ""

    /// A person.
    public init(id: Int, name: String, bio: String = "") {
      self.id = id
      self.name = name
      self.bio = bio
    }
  }

  /// Something that happened.
  @Mirrored public struct Entry: Identifiable {
    /// Counts all entries, those that were dropped included.
    public var id: Int
    /// When: the date of the commit.
    public var date: Date
    /// The public number of the client whose action it was; nil for the daemon itself.
    public var origin: UInt64?
    /// The name of who was logged in then.
    public var user: String?
    /// What.
    public var kind: Kind

    /// An entry from its parts.
    public init(id: Int, date: Date, origin: UInt64?, user: String?, kind: Kind) {
      self.id = id
      self.date = date
      self.origin = origin
      self.user = user
      self.kind = kind
    }
  }

  /// What can happen.
  @Mirrored public enum Kind {
    /// A prime became a favourite.
    case addedFavoritePrime(Int)
    /// A prime is no favourite any more.
    case removedFavoritePrime(Int)
    /// Somebody logged in.
    case loggedIn(String)
    /// Somebody logged out.
    case loggedOut(String)
  }

  /// What can be done.
  @Mirrored public enum Action {
    /// Logs a person in, and out whoever was.
    case logIn(User)
    /// Logs out whoever is logged in.
    case logOut
    /// Forgets the entries.
    case clear
  }

  /// A reducer of the user.
  public init() {}

  /// Logs in and out, and forgets.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .logIn(let user):
      guard !user.name.isEmpty, user.name.utf8.count <= Self.longestName,
        user.bio.utf8.count <= Self.longestBio
      else {
        return .reject(
          code: "invalid",
          """
          a name has 1 to \(Self.longestName) bytes and a bio at most \(Self.longestBio), not \
          \(user.name.utf8.count) and \(user.bio.utf8.count)
          """)
      }
      state.user = user
    case .logOut: state.user = nil
    case .clear: state.entries = IdentifiedArray()
    }
    return .none
  }

  /// The longest name, in UTF-8 bytes: each entry carries one.
  public static let longestName = 64
  /// The longest bio, in UTF-8 bytes.
  public static let longestBio = 1_024
}

extension Activity {
  /// What the view `activity` shows.
  @Mirrored public struct ViewState {
    /// Who is logged in.
    public var user: User?
    /// The latest entries, newest last.
    public var entries: IdentifiedArray<Entry>

    /// The view of a state.
    public init(_ state: State) {
      user = state.user
      entries = state.entries
    }
  }
}
