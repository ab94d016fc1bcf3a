import StateModel
import SyncProtocol

/// Optimistic bindings: a client sets the field again and again, and shows what it has set until the
/// mirror does. What is judged: it always sees what it set last, until that is refused or shown; its sets
/// are applied in their order; in the end nothing is pending.
extension World {
  private static let field: PendingSets.Field = [0]

  func setField(of index: Int) {
    let action = ToyAction(kind: .assign, id: name())
    trace("client \(index) sets the field to \(action.id)")
    clients[index].wanted = action.id
    let setting = clients[index].sets.set(
      Self.field, action: action.bytes, value: action.id.encoded(), name: "field")
    if let setting { send(setting, from: index) }
    judgeShown(index)
  }

  private func send(_ setting: PendingSets.Setting, from index: Int) {
    guard let action = ToyAction(bytes: setting.action) else { return }
    let token = ActionToken(rawValue: action.id)
    clients[index].settings[token] = setting
    clients[index].unresolved.append(token)
    tell(index, .submit(token, Entry(.perform(action: setting.action))))
  }

  /// What became of a set, as a store hears it.
  func noteSet(_ output: ClientOutput, of index: Int) {
    switch output {
    case .resolved(let token, let resolution):
      guard let setting = clients[index].settings[token] else { return }
      if !resolution.isDone { clients[index].settings[token] = nil }
      let consequence = clients[index].sets.answered(
        setting.id, in: setting.field, isDone: resolution.isDone)
      if consequence.isShownAnew { clients[index].wanted = nil }
      if let next = consequence.next { send(next, from: index) }
      if faults.flashes { forgetShown(setting, index) }
    case .reached(let token):
      guard let setting = clients[index].settings.removeValue(forKey: token) else { return }
      forgetShown(setting, index)
    default: return
    }
    judgeShown(index)
  }

  /// The mirror's value is shown from now on: it must show the set, or a later one.
  private func forgetShown(_ setting: PendingSets.Setting, _ index: Int) {
    guard clients[index].sets.reached(setting.id, in: setting.field) else { return }
    clients[index].wanted = nil
    guard let id = ToyAction(bytes: setting.action)?.id, !historyWasLost else { return }
    for view in clients[index].views where view.follows && view.projection == .all {
      guard !clients[index].machine.isStale(view.token),
        let replica = clients[index].replica(of: view), !replica.value.contains(id)
      else { continue }
      complain("client \(index) shows the field as it was before \(id), which it had shown")
    }
  }

  private func judgeShown(_ index: Int) {
    let shown = clients[index].sets.shown(Self.field)?.value
    if shown != clients[index].wanted?.encoded() {
      complain("client \(index) set \(clients[index].wanted ?? 0), and shows something else")
    }
  }

  /// Sets of one client come in their order: names rise.
  func judgeOrder(of action: ToyAction) {
    guard action.kind == .assign else { return }
    for index in clients.indices
    where clients[index].settings[ActionToken(rawValue: action.id)] != nil {
      if action.id < clients[index].lastAssigned {
        complain("client \(index)'s set \(action.id) is applied behind a later one")
      }
      clients[index].lastAssigned = action.id
    }
  }

  /// What a binding still shows; nil when all show what their mirrors hold.
  var unendedSet: String? {
    for (index, client) in clients.enumerated() where !client.sets.isEmpty {
      return "client \(index) shows for ever that \(client.wanted ?? 0) is being set"
    }
    return nil
  }
}
