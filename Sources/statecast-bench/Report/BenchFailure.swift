/// Why a run does not count.
struct BenchFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A command line that is not understood.
struct UsageFailure: Error, CustomStringConvertible {
  var description: String { "this is no command\nTry: statecast-bench --help" }
}
