internal import StateModel

/// The limits that hello tells, by their names on the wire. Those that only the daemon heeds are
/// not among them.
extension Limits {
  struct Named {
    var name: String
    var keyPath: any WritableKeyPath<Limits, Int> & Sendable
  }

  /// In the order of the encoded names.
  static let wire: [Named] = [
    Named(name: "chunk", keyPath: \.chunk),
    Named(name: "frame", keyPath: \.frame),
    Named(name: "topic", keyPath: \.topic),
    Named(name: "views", keyPath: \.viewsPerSession),
    Named(name: "answer", keyPath: \.answer),
    Named(name: "window", keyPath: \.window),
    Named(name: "entries", keyPath: \.entries),
    Named(name: "request", keyPath: \.request),
    Named(name: "in-flight", keyPath: \.inFlight),
    Named(name: "held-deltas", keyPath: \.heldDeltas),
    Named(name: "publication", keyPath: \.publication),
  ]

  /// Reads what hello tells; what is not told keeps its default, what is not known is skipped.
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self.init()
    for _ in 0..<(try decoder.map()) {
      let name = try decoder.text()
      guard let limit = Self.wire.first(where: { $0.name == name }) else {
        try decoder.skip()
        continue
      }
      self[keyPath: limit.keyPath] = Int(clamping: try decoder.unsigned())
    }
  }
}
