import StateModel

extension Value {
  /// About how many bytes the value's encoding has, or nil when that is more than `limit`; looks no
  /// further then.
  ///
  /// Copies share storage, so a value can be doubled and doubled again at no cost until somebody
  /// encodes it: whoever copies on behalf of others weighs first.
  func weight(atMost limit: Int) -> Int? {
    var left = limit
    return take(from: &left) ? limit - left : nil
  }

  /// Whether what is left of the limit suffices for this value.
  private func take(from left: inout Int) -> Bool {
    switch self {
    case .null, .bool, .unsigned, .negative, .float: left -= 1
    case .text(let text): left -= 1 + text.utf8Count
    case .bytes(let bytes): left -= 1 + bytes.count
    case .tag(_, let item):
      left -= 1
      return left >= 0 && item.take(from: &left)
    case .array(let elements):
      left -= 1
      for element in elements where left < 0 || !element.take(from: &left) {
        return false
      }
    case .map(let entries):
      left -= 1
      for (key, value) in entries
      where left < 0 || !key.take(from: &left) || !value.take(from: &left) {
        return false
      }
    }
    return left >= 0
  }
}
