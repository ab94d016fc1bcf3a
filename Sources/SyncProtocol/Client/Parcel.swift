/// What stays together on its way to the daemon: one action, or several that are one commit.
struct Parcel: Sendable {
  struct Member: Sendable {
    var token: ActionToken
    var entry: Entry
    /// Given when it is first sent; with these bytes for ever.
    var number: ActionNumber = 0
  }

  var members: [Member]
  var isAtomic: Bool
  /// Its numbers are to be burnt, and why: the app waits no longer, or the daemon cannot take it.
  var burning: Burning?
  /// How often the daemon said that it was at fault itself.
  var internalFailures = 0

  struct Burning: Sendable {
    var code: Code
    var text: String
  }

  init(_ members: [Member], isAtomic: Bool) {
    self.members = members
    self.isAtomic = isAtomic
    weight = members.reduce(0) { $0 + Self.weight($1.entry) }
  }

  /// About how many bytes it takes in a request.
  let weight: Int

  private static func weight(_ entry: Entry) -> Int {
    let payload =
      switch entry.kind {
      case .perform(let action): action.count
      case .set(let field, let value): field.utf8.count + value.count
      case .answer(let alert, _): alert.count
      case .offer(let name), .withdraw(let name): name.utf8.count
      case .other(let kind): kind.utf8.count
      }
    let expected = entry.expectations.reduce(0) { sum, expectation in
      sum + 16 + expectation.path.reduce(0) { $0 + $1.count }
    }
    return payload + expected + 64
  }
}
