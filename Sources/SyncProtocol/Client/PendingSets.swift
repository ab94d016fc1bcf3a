/// What bindings have set and the daemon has not made its own yet: what is shown meanwhile, and
/// what is sent when.
///
/// A machine of values, one entry a field. A field has one set on its way to the daemon at a time;
/// what is set meanwhile waits, and the newest takes the place of what waited. A value is shown
/// until the mirror has reached what its set became (not when the answer comes: the old value would
/// flash), or until it is refused.
package struct PendingSets: Sendable {
  /// A field, by the action that sets it without the value.
  package typealias Field = [UInt8]

  /// One set, as it is sent.
  package struct Setting: Equatable, Sendable {
    package var id: UInt64
    package var field: Field
    /// The action that sets the field.
    package var action: [UInt8]
    /// The value in it.
    package var value: [UInt8]
    /// How a person names the field.
    package var name: String
    /// What the field must still be; nil for anything.
    package var expected: [UInt8]?
  }

  private struct Entry: Sendable {
    /// The newest: what is shown.
    var shown: Setting
    /// Sent, and not answered. More than one only behind `flush`.
    var unanswered: [UInt64] = []
    /// Not sent; it is the one that is shown.
    var isQueued = false
  }

  private var entries: [Field: Entry] = [:]
  private var lastID: UInt64 = 0

  package init() {}

  /// Whether nothing is pending.
  package var isEmpty: Bool { entries.isEmpty }

  /// What is shown for a field; nil: what the mirror holds.
  package func shown(_ field: Field) -> Setting? { entries[field]?.shown }

  /// A binding was set; what is to be sent now, if anything.
  package mutating func set(
    _ field: Field, action: [UInt8], value: [UInt8], name: String, expected: [UInt8]? = nil
  ) -> Setting? {
    lastID += 1
    let setting = Setting(
      id: lastID, field: field, action: action, value: value, name: name, expected: expected)
    var entry = entries[field] ?? Entry(shown: setting)
    entry.shown = setting
    entry.isQueued = !entry.unanswered.isEmpty
    if !entry.isQueued { entry.unanswered = [setting.id] }
    entries[field] = entry
    return entry.isQueued ? nil : setting
  }

  /// Something else is about to be sent that must not overtake what was set before it: what waits is
  /// sent now, in the order in which it was set.
  package mutating func flush() -> [Setting] {
    var sent: [Setting] = []
    for (field, entry) in entries where entry.isQueued {
      entries[field]?.isQueued = false
      entries[field]?.unanswered.append(entry.shown.id)
      sent.append(entry.shown)
    }
    return sent.sorted { $0.id < $1.id }
  }

  /// What an answer changes.
  package struct Consequence: Equatable, Sendable {
    /// What is sent now.
    package var next: Setting?
    /// Whether something else is shown for the field than before.
    package var isShownAnew = false

    package init(next: Setting? = nil, isShownAnew: Bool = false) {
      self.next = next
      self.isShownAnew = isShownAnew
    }
  }

  /// The daemon has answered a set.
  package mutating func answered(_ id: UInt64, in field: Field, isDone: Bool) -> Consequence {
    guard var entry = entries[field] else { return Consequence() }
    entry.unanswered.removeAll { $0 == id }
    if !isDone, entry.shown.id == id {
      entries[field] = nil
      return Consequence(isShownAnew: true)
    }
    var next: Setting?
    if entry.isQueued, entry.unanswered.isEmpty {
      entry.isQueued = false
      entry.unanswered = [entry.shown.id]
      next = entry.shown
    }
    entries[field] = entry
    return Consequence(next: next)
  }

  /// The mirror has reached what a set became; whether something else is shown than before.
  package mutating func reached(_ id: UInt64, in field: Field) -> Bool {
    guard entries[field]?.shown.id == id else { return false }
    entries[field] = nil
    return true
  }
}
