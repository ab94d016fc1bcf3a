package import Composable
package import StateModel
internal import SyncProtocol

/// A live view as the protocol's machine sees it: a value, so that a copy is a pinned snapshot.
package struct HostedView<Root: Reducer>: AuthorityView
where Root.State: Mirrored, Root.Action: Mirrored {
  private var projection: any Projection<Root.State>
  package let schemaHash: UInt64

  init(_ projection: any Projection<Root.State>, schemaHash: UInt64) {
    self.projection = projection
    self.schemaHash = schemaHash
  }

  package var digest: Digest { projection.digest }

  package mutating func refresh(from app: HostedApp<Root>) -> Delta? {
    projection.refresh(from: app.state)
  }

  package func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces? {
    projection.encodedPieces(of: length, atMost: limit)
  }

  package func delta(from older: HostedView) -> Delta { projection.delta(from: older.projection) }
}
