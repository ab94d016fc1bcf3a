internal import Foundation

/// The executables that were built beside the running program.
public enum Products {
  /// The path of an executable of the same build: `statecastd`.
  public static func path(_ name: String) -> String {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return own.deletingLastPathComponent().appendingPathComponent(name).path
  }
}
