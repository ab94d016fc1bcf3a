internal import Glibc

extension HostFailure {
  /// What the system said, in words: `Permission denied`.
  static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
