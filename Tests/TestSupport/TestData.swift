public import Foundation
public import Testing

/// Documents made elsewhere, read where they lie: in `STATECAST_DATA`, else in `../shared/data`
/// beside the checkout. Tests that need them are skipped where they are absent, unless
/// `STATECAST_REQUIRE_DATA=1` makes their absence a failure.
public enum TestData {
  /// Where the documents lie.
  public static let folder: URL = {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["STATECAST_DATA"] { return URL(fileURLWithPath: path) }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/data")
  }()

  /// Why a test is skipped.
  public static let hint: Comment = "the test data is not there: set STATECAST_DATA to its folder"

  /// Whether tests that need them run.
  public static var isPresent: Bool {
    ProcessInfo.processInfo.environment["STATECAST_REQUIRE_DATA"] == "1"
      || FileManager.default.fileExists(atPath: folder.path)
  }

  /// What a file holds.
  public static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  /// What a gzip file holds.
  public static func unpacked(_ name: String) throws -> [UInt8] {
    let gzip = Process()
    let output = Pipe()
    gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-dc", folder.appendingPathComponent(name).path]
    gzip.standardOutput = output
    try gzip.run()
    let content = try output.fileHandleForReading.readToEnd() ?? Data()
    gzip.waitUntilExit()
    try #require(gzip.terminationStatus == 0, "\(name) cannot be unpacked")
    return [UInt8](content)
  }
}
