public import Composable
import JSONText
public import StateModel

/// A store of JSON documents for people who write no Swift: every part of every document can be
/// read as a view and changed by an action, both by its path.
///
/// Paths are JSON pointers (RFC 6901) from the map of documents on: `/settings/volume`. An action
/// that does not fit is refused and changes nothing: `invalid` when it can never fit, `conflict`
/// when a patch's `test` found another value, `rejected` when the place is not there or is of
/// another kind.
public struct Workspace: Reducer {
  /// How deep documents may nest, the map of documents included: what carries them (an action in a
  /// request, a view in an answer) takes some of the 256 levels that both ends can read.
  public static let maximumDepth = 240

  /// The longest name of a document, in UTF-8 bytes.
  public static let longestName = 256

  /// The documents.
  @Mirrored public struct State {
    /// A map of documents by name, whatever they hold. Its texts are edited in place.
    public var documents: Value = .map([:])

    /// No documents, or those given.
    public init(documents: Value = .map([:])) { self.documents = documents }
  }

  /// What can be done to a document.
  @Mirrored public enum Action {
    /// Puts a value at a path: replaces what is there, adds a member that is not (its parent must
    /// be there), appends to an array at `-`.
    case set(path: String, value: Value)
    /// Puts a value at a path, with objects for the parents that are not there; a parent that is
    /// something else stays, and the action is refused.
    case put(path: String, value: Value)
    /// Removes the member or element at a path.
    case remove(path: String)
    /// Applies a JSON merge patch (RFC 7396) at a path; what is not there counts as an empty
    /// object.
    case merge(path: String, value: Value)
    /// Adds a number to the one at a path; what is not there counts as 0.
    case increment(path: String, by: Value)
    /// Puts an element behind the last one of an array, or a text behind another; what is not
    /// there counts as an empty array.
    case append(path: String, value: Value)
    /// Replaces `removed` UTF-8 bytes of the text at a path, from `offset` on.
    case edit(path: String, offset: Int, removed: Int, inserted: String)
    /// Applies a patch (RFC 6902) to the value at a path: all of it or nothing.
    case patch(path: String, operations: Value)
    /// Puts a whole document under a name, whether there was one or not.
    case load(name: String, document: Value)
  }

  /// An empty workspace's reducer.
  public init() {}

  /// Applies the action, or refuses it.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    do {
      try action.apply(to: &state.documents)
      return .none
    } catch {
      return .reject(error)
    }
  }
}
