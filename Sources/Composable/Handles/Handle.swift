public import StateModel

/// Something that one client offers and others may call, as it stands in the state: the analogue
/// between processes of a closure that a child view passes up.
///
/// A value: equal when owner, epoch and name are equal. Whether its owner still lives is not part of
/// it; calling the handle of one that does not says `gone`. A client calls it with
/// `DaemonConnection.call(_:)`, and offers one with `DaemonConnection.offer(_:)`.
@Mirrored public struct Handle: Hashable {
  /// The public number of the client that offers it.
  public var owner: UInt64
  /// The run of the daemon in which it was offered: it ends with that run.
  public var epoch: UInt64
  /// What it is called: 1 to 64 of `A-Z a-z 0-9 . _ -`.
  public var name: String

  /// A handle from its parts.
  public init(owner: UInt64, epoch: UInt64, name: String) {
    self.owner = owner
    self.epoch = epoch
    self.name = name
  }
}
