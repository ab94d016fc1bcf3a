/// What is to be started, and how.
package struct ProgramPlan: Sendable {
  /// The program's path.
  package var executable: String
  package var arguments: [String]
  /// Nil is this process's own.
  package var environment: [String: String]?
  /// Descriptors that take the place of its standard ones; nil is /dev/null. They stay the caller's.
  package var input: Int32?
  package var output: Int32?
  package var error: Int32?
  /// Whether it is killed when this process ends, however this ends.
  package var endsWithParent = false
  /// Whether it leads a session of its own: no terminal's signals reach it.
  package var hasOwnSession = false

  /// Whether its process group can be sent signals after it has ended itself, until `forgetGroup`; for
  /// a program with a session of its own.
  package var keepsGroup = false

  package init(_ executable: String, _ arguments: [String] = []) {
    self.executable = executable
    self.arguments = arguments
  }

  /// Settings changed in a closure.
  package func with(_ change: (inout ProgramPlan) -> Void) -> ProgramPlan {
    var plan = self
    change(&plan)
    return plan
  }
}
