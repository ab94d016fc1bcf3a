import StateModel

/// An alert or a dialog as it stands in a mirrored value: what a person is asked, and how it can be
/// answered.
struct ShownAlert: Equatable {
  /// What an answer names.
  var id: [UInt8]
  var title: String
  var message: String
  var buttons: [String]

  /// The alert as lines, its buttons numbered.
  var lines: [String] {
    ["== \(title)"] + (message.isEmpty ? [] : ["   \(message)"])
      + buttons.enumerated().map { "   \($0.offset + 1)) \($0.element)" } + ["   0) dismiss"]
  }

  /// The first alert anywhere in a value.
  static func first(in value: Value) -> ShownAlert? { nil }
}
