public import StateModel

extension Value {
  /// Applies a JSON merge patch (RFC 7396): its members are set, deeply, and those that are null are
  /// removed; a patch that is no object replaces the value.
  public mutating func merge(_ patch: Value) {
    guard case .map(let changes) = patch else {
      self = patch
      return
    }
    var entries = self.entries ?? ValueMap()
    // Emptied meanwhile, so that storage has one owner and is changed in place.
    self = .null
    for (key, change) in changes {
      if case .null = change {
        entries.removeValue(forKey: key)
      } else if entries.update(key, { $0.merge(change) }) == nil {
        var added = Value.null
        added.merge(change)
        entries.set(added, for: key)
      }
    }
    self = .map(entries)
  }
}
