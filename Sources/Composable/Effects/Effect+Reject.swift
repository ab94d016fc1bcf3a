public import StateModel

/// Why a reducer refuses an action: nothing of it happens, and its sender is told.
public struct Rejection: Error, Equatable, Sendable, CustomStringConvertible {
  /// A stable word for programs: `rejected`, `conflict` or `invalid`.
  public var code: String
  /// A sentence for a person: what happened, and what to do.
  public var text: String
  /// The part of the state that it is about, as keys and indices; empty when it is about no one
  /// part.
  public var path: [Value]

  /// A rejection.
  public init(code: String = "rejected", _ text: String, path: [Value] = []) {
    self.code = code
    self.text = text
    self.path = path
  }

  /// The sentence.
  public var description: String { text }
}

extension Effect {
  /// Refuses the action: the whole commit is void, whatever else was done in it, and the sender
  /// gets the code and the text.
  ///
  /// For what only the reducer can know, such as a patch whose `test` fails. It belongs to the
  /// synchronous part of a commit: behind an effect that takes time it is reported as a mistake,
  /// since the commit has happened by then.
  ///
  /// - Parameters:
  ///   - code: `rejected`; `conflict` where the state is not what the sender took it to be;
  ///     `invalid` where the action can never fit.
  ///   - message: a sentence for a person: what happened, and what to do.
  ///   - path: the part of the state that it is about.
  public static func reject(
    code: String = "rejected", _ message: String, path: [Value] = []
  ) -> Effect {
    reject(Rejection(code: code, message, path: path))
  }

  /// Refuses the action.
  public static func reject(_ rejection: Rejection) -> Effect { Effect(.reject(rejection)) }
}
