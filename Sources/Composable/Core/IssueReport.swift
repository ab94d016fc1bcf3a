/// Where something is written, for messages to programmers.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The module and file.
  public var fileID: String
  /// The line.
  public var line: UInt

  /// A place in the source.
  public init(fileID: String, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  /// `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}

/// A mistake of a programmer that was found while running: what happened, with the values, and how
/// to mend it. Never a trap: a daemon reports it and lives on.
public struct IssueReport: Hashable, Sendable, CustomStringConvertible {
  /// What happened, and what to do.
  public var message: String
  /// The place that it is about.
  public var location: SourceLocation

  /// A report about a place in the source.
  public init(_ message: String, fileID: String = #fileID, line: UInt = #line) {
    self.init(message, at: SourceLocation(fileID: fileID, line: line))
  }

  /// A report about a place in the source.
  public init(_ message: String, at location: SourceLocation) {
    self.message = message
    self.location = location
  }

  /// The message behind its place.
  public var description: String { "\(location): \(message)" }
}

/// Reports a programming error: with the commit under way if there is one, else to the
/// `issueReporter` dependency.
package func reportIssue(_ report: IssueReport) {
  let values = DependencyValues.current
  if let scratch = values.scratch {
    scratch.report(report)
  } else {
    values.issueReporter(report)
  }
}
