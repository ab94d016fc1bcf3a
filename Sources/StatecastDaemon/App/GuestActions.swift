internal import Composable
internal import SyncProtocol

/// How an app's own actions are made of clients that come and go and of handles that they offer.
package struct GuestActions<Action> {
  var presence: (PresenceChange) -> Action?
  var handles: (HandleChange) -> Action?

  /// An app that lists nobody and keeps no handles.
  package init() {
    presence = { _ in nil }
    handles = { _ in nil }
  }

  init(
    presence: @escaping (PresenceChange) -> Action?, handles: @escaping (HandleChange) -> Action?
  ) {
    self.presence = presence
    self.handles = handles
  }

  /// Whether the app has anything to do with it.
  var areWanted: Bool { presence(.allLeft) != nil || handles(.allGone) != nil }

  /// What one coming or going does: whoever leaves takes its handles along, in the same commit.
  func actions(for attendance: Attendance) -> [Action?] {
    switch attendance {
    case .joined(let client, let name): [presence(.joined(client: client, name: name))]
    case .away(let client): [presence(.away(client: client))]
    case .back(let client): [presence(.back(client: client))]
    case .left(let client): [presence(.left(client: client)), handles(.ownerLeft(client))]
    }
  }
}
