internal import Synchronization

/// Keeps the settable fields of each concrete type, made once.
///
/// A generic type can have no static storage, so the fields of every type stand in one table.
public enum BindingRegistry {
  private static let known = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// The fields of `root`, from `make` the first time. Called by the code that `@Mirrored` writes.
  public static func fields<Root: Mirrored>(
    of root: Root.Type, make: () -> [BindingField<Root>]
  ) -> [BindingField<Root>] {
    let id = ObjectIdentifier(root)
    if let fields = known.withLock({ $0[id] }) as? [BindingField<Root>] { return fields }
    let fields = make()
    known.withLock { $0[id] = fields }
    return fields
  }
}
