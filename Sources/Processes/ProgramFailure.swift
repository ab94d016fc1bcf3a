internal import Glibc

/// A program that could not be started.
package struct ProgramFailure: Error, Equatable, CustomStringConvertible {
  /// Its path.
  package var executable: String
  /// What the system said.
  package var code: Int32

  package init(executable: String, code: Int32) {
    self.executable = executable
    self.code = code
  }

  /// What the system said, in words.
  package var reason: String { String(cString: strerror(code)) }

  package var description: String { "\(executable) cannot be started: \(reason)" }
}
