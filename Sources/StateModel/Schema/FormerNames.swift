/// What cases and settable fields were called in earlier versions of an app: an earlier client uses
/// those names.
package struct FormerNames: Sendable {
  /// The cases' names of today by their former ones, by the name of the enum.
  var cases: [String: [String: String]] = [:]
  /// The same of settable fields. A binding action has no name of its own in a schema: its fields
  /// say which it is. Two with the very same fields are looked up as one, which does no harm: the
  /// action itself reads its own former names only.
  private var fields: [[UInt8]: [String: String]] = [:]

  /// A settable field of today was called `alias`.
  mutating func add(_ alias: String, of name: String, among all: [Schema.Field]) {
    fields[all.encoded(), default: [:]][alias] = name
  }

  /// The names of today by the former ones, of the binding action that has these fields.
  func names(among all: [Schema.Field]) -> [String: String] {
    fields.isEmpty ? [:] : fields[all.encoded()] ?? [:]
  }
}
