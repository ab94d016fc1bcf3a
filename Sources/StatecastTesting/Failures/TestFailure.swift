/// What a test store found: an expectation that did not hold, and what to do.
public struct TestFailure: Sendable, CustomStringConvertible {
  /// A place in the source of a test, as both test frameworks want it.
  public struct Location: Sendable {
    /// The module and file.
    public var fileID: StaticString
    /// The whole path.
    public var filePath: StaticString
    /// The line.
    public var line: UInt
    /// The column.
    public var column: UInt

    /// A place in the source.
    public init(
      fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {
      self.fileID = fileID
      self.filePath = filePath
      self.line = line
      self.column = column
    }
  }

  /// What happened, the difference, and what to do.
  public var message: String
  /// The line of the test that it is about.
  public var location: Location

  /// A failure.
  public init(_ message: String, at location: Location) {
    self.message = message
    self.location = location
  }

  /// The message.
  public var description: String { message }
}
