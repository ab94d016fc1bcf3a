import Foundation

/// What is no figure goes to standard error: standard output has the lines of JSON and the table.
enum Notice {
  static func say(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
