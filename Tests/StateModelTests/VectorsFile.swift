import Foundation
import StateModel

/// Tests/Vectors/vectors.json: what Swift and Python, and any other implementation, must agree on.
struct VectorsFile: Decodable {
  struct Encoding: Decodable {
    var name: String
    /// Whether `name` stands for a value of a Swift type.
    var type: Bool?
    var value: Notation
    var encoding: String
  }

  struct DigestEntry: Decodable {
    var name: String
    var encoding: String
    var digest: String
  }

  struct DeltaEntry: Codable, Equatable {
    var name: String
    var before: String
    var delta: String
    var after: String
    var digest: String
  }

  /// A value in the file's JSON notation.
  struct Notation: Decodable {
    var value: Value

    private enum Kind: String, CodingKey {
      case integer, float, bytes, text, array, map, tag
    }

    init(from decoder: any Decoder) throws {
      if let single = try? decoder.singleValueContainer() {
        if single.decodeNil() {
          value = .null
          return
        }
        if let bool = try? single.decode(Bool.self) {
          value = .bool(bool)
          return
        }
      }
      let container = try decoder.container(keyedBy: Kind.self)
      switch container.allKeys.first {
      case .integer:
        let number = Int128(try container.decode(String.self, forKey: .integer)) ?? 0
        value = number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
      case .float:
        let bits = UInt64(try container.decode(String.self, forKey: .float), radix: 16) ?? 0
        value = .float(Double(bitPattern: bits))
      case .bytes:
        value = .bytes(StateModelTests.bytes(try container.decode(String.self, forKey: .bytes)))
      case .text: value = .text(try container.decode(String.self, forKey: .text))
      case .array:
        value = .array(try container.decode([Notation].self, forKey: .array).map(\.value))
      case .map:
        let entries = try container.decode([[Notation]].self, forKey: .map)
        value = .map(ValueMap(entries.map { ($0[0].value, $0[1].value) }))
      case .tag:
        var parts = try container.nestedUnkeyedContainer(forKey: .tag)
        let number = UInt64(try parts.decode(String.self)) ?? 0
        value = .tag(number, try parts.decode(Notation.self).value)
      case nil:
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "no value"))
      }
    }
  }

  var encodings: [Encoding]
  var digests: [DigestEntry]
  var deltas: [DeltaEntry]?

  static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/vectors.json")
  }

  static func read() throws -> VectorsFile {
    try JSONDecoder().decode(VectorsFile.self, from: Data(contentsOf: file))
  }

  /// Writes the section `deltas` and leaves all others as they are, byte for byte.
  static func write(deltas: [DeltaEntry]) throws {
    var text = try String(contentsOf: file, encoding: .utf8)
    let lines = deltas.map { entry in
      "    {\"after\": \"\(entry.after)\", \"before\": \"\(entry.before)\", "
        + "\"delta\": \"\(entry.delta)\", \"digest\": \"\(entry.digest)\", "
        + "\"name\": \"\(entry.name)\"}"
    }
    let section = "  \"deltas\": [\n\(lines.joined(separator: ",\n"))\n  ]"
    if let start = text.range(of: "  \"deltas\": ["),
      let end = text.range(of: "\n  ]", range: start.upperBound..<text.endIndex)
    {
      text.replaceSubrange(start.lowerBound..<end.upperBound, with: section)
    } else if let next = text.range(of: "  \"digests\": [") {
      text.insert(contentsOf: section + ",\n", at: next.lowerBound)
    }
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
}
