public import Composable
public import FoundationEssentials
public import StateModel

/// Who is attached, and since when.
///
/// Only coming and going is written down: how far behind a client is would be a commit a beat, and
/// every commit makes somebody fall behind.
public struct Presence: Reducer {
  /// The clients that are there.
  @Mirrored public struct State {
    /// In the order in which they came.
    public var clients = IdentifiedArray<Client>()

    /// Nobody.
    public init() {}
  }

  /// A client that asked to be listed.
  @Mirrored public struct Client: Identifiable {
    /// Its public number.
    public var id: UInt64
    /// What it wants to be called; may be empty.
    public var name: String
    /// When it came: the date of the commit.
    public var since: Date
    /// Whether it has not been heard for a while.
    public var isAway = false

    /// A client that has come.
    public init(id: UInt64, name: String, since: Date) {
      self.id = id
      self.name = name
      self.since = since
    }
  }

  /// What the daemon tells.
  @Mirrored public enum Action {
    /// Somebody comes or goes.
    case changed(PresenceChange)
  }

  @Dependency(\.date) private var date
  @Dependency(\.origin) private var origin

  /// A reducer of who is there.
  public init() {}

  /// Writes down who comes and goes.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard case .changed(let change) = action else { return .none }
    guard change.isCredible(from: origin) else {
      return .reject(
        Rejection(code: "forbidden", "only the daemon itself says who is there"))
    }
    state.note(change, at: date.now)
    return .none
  }
}

extension Presence.State {
  /// Brings the list up to date.
  mutating func note(_ change: PresenceChange, at date: Date) {
    switch change {
    case .joined(let id, let name):
      if clients[id: id] == nil {
        clients.append(Presence.Client(id: id, name: name, since: date))
      } else {
        clients[id: id]?.name = name
      }
    case .away(let id): clients[id: id]?.isAway = true
    case .back(let id): clients[id: id]?.isAway = false
    case .left(let id): clients.remove(id: id)
    case .allLeft: clients = IdentifiedArray()
    }
  }
}
