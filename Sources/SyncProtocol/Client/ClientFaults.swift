/// Mistakes that the simulation's tests put into a client, to prove that it would find them.
/// Always empty otherwise.
package struct ClientFaults: OptionSet, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// A session whose history was rewritten goes on as if nothing had happened.
  package static let noRebaseAfterRestore = ClientFaults(rawValue: 1)
  /// An action that is given up is dropped without burning its number.
  package static let noGiveUp = ClientFaults(rawValue: 2)
  /// A call that comes twice is done twice.
  package static let runsTwice = ClientFaults(rawValue: 4)
  /// Mail is counted anew whenever the daemon was lost sight of.
  package static let mailCountedAnew = ClientFaults(rawValue: 8)
}
