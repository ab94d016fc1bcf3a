internal import StateModel

/// The topics that a client subscribes (protocol, section 4).
enum ClientTopic {
  /// The daemon's beat.
  static let beat: [UInt8] = [UInt8(ascii: "H")]

  static func doorbell(_ nonce: Nonce) -> [UInt8] { [UInt8(ascii: "~")] + nonce.bytes.bytes }

  /// Bytes beyond which the parameters are hashed.
  private static let longest = 200

  static func view(name: String, parameters: [UInt8]) -> Topic {
    let head = [UInt8(ascii: "D")] + Array(name.utf8) + [0]
    if head.count + parameters.count <= longest { return Topic(bytes: head + parameters) }
    let hash = XXH3.hash128(parameters)
    return Topic(bytes: head + [0xFF] + hash.high.bigEndianBytes + hash.low.bigEndianBytes)
  }
}
