import Foundation
import StateModel
import Testing

/// The examples of RFC 8949, appendix A: what is in our form comes back byte for byte, what is not
/// is refused for the reason it deserves.
@Suite("The examples of RFC 8949, appendix A")
struct AppendixATests {
  private struct Example: Decodable {
    var hex: String
    var roundtrip: Bool
  }

  /// Of those that deterministic encoders would write too, what we have no use for.
  private static let unused: [String: String] = [
    "f7": "simple value 23 is not used",
    "f0": "simple value 16 is not used",
    "f818": "simple values above 23 are not used",
    "f8ff": "simple values above 23 are not used",
  ]

  @Test(
    "Each is decoded and encoded again, or refused with a reason",
    .enabled(if: dataIsThere || dataIsRequired, "../shared/data is not here: set STATECAST_DATA"))
  func examples() throws {
    let examples = try JSONDecoder().decode([Example].self, from: Data(contentsOf: Self.file))
    #expect(examples.count == 82)
    for example in examples {
      let encoding = bytes(example.hex)
      let reason = Self.unused[example.hex] ?? (example.roundtrip ? nil : Self.reason(example.hex))
      do throws(DecodingFailure) {
        let value = try Value(encoded: encoding)
        #expect(reason == nil, "\(example.hex) should be refused")
        #expect(hexadecimal(value.encoded()) == example.hex)
        #expect(try Value(encoded: value.encoded()) == value)
      } catch {
        #expect(error.reason == .notDeterministic, "\(example.hex)")
        #expect(error.message == reason, "\(example.hex)")
      }
    }
  }

  /// What does not come back in the RFC's own list: long floats, and indefinite lengths.
  private static func reason(_ hex: String) -> String {
    hex.hasPrefix("fa") || hex.hasPrefix("fb")
      ? "a float is not in its shortest form" : "indefinite lengths are not used"
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let dataIsRequired = environment["STATECAST_REQUIRE_DATA"] == "1"
  private static let dataIsThere = FileManager.default.fileExists(atPath: file.path)

  private static var file: URL {
    let folder =
      environment["STATECAST_DATA"].map { URL(filePath: $0) }
      ?? URL(filePath: #filePath).appending(path: "../../../../shared/data").standardized
    return folder.appending(path: "cbor-appendix-a.json")
  }
}
