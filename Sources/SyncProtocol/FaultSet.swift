/// Mistakes that a machine can be told to make, for tests only.
///
/// They exist in debug builds: elsewhere none is ever made, and the compiler leaves the question out.
package protocol FaultSet: OptionSet, Sendable where RawValue == UInt64, Element == Self {}

extension FaultSet {
  /// The mistake with a place of its own.
  init(_ place: Int) { self.init(rawValue: 1 << place) }

  /// Whether a mistake is to be made.
  @inline(__always)
  package func contains(_ mistake: Self) -> Bool {
    #if DEBUG
      rawValue & mistake.rawValue != 0
    #else
      false
    #endif
  }
}
