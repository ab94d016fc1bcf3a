/// Everything that is wrong with what was configured, each with its place: all at once, so that
/// nobody mends a file line by line.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One of them.
  package struct Fault: Equatable, Sendable, CustomStringConvertible {
    /// `statecastd.conf:12`, `STATECAST_MODE` or `--mode`; empty where none says it.
    package var place: String
    package var text: String

    package init(_ place: String, _ text: String) {
      self.place = place
      self.text = text
    }

    /// `statecastd.conf:12: unknown key fram in [limits]; did you mean frame?`
    package var description: String { place.isEmpty ? text : "\(place): \(text)" }
  }

  package var faults: [Fault]

  package init(_ faults: [Fault]) { self.faults = faults }

  /// A fault a line.
  package var description: String { faults.map(\.description).joined(separator: "\n") }
}
