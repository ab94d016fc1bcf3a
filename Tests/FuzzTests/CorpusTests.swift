import Foundation
import FuzzTargets
import StateModel
import Testing

/// What fuzzing has found or reached so far is tried again with every test run.
@Suite("Fuzzing's corpus")
struct CorpusTests {
  @Test(
    "Every kept input is read or refused, and no promise is broken", arguments: FuzzTarget.allCases)
  func corpus(_ target: FuzzTarget) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Corpus/\(target.rawValue)")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      #expect(target.run(bytes) == nil, "\(target.rawValue)/\(file.lastPathComponent)")
    }
  }

  @Test("Seeded random bytes and damaged inputs of the corpus", arguments: FuzzTarget.allCases)
  func damaged(_ target: FuzzTarget) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Corpus/\(target.rawValue)")
    let inputs = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
    let seed = UInt64.random(in: .min ... .max)
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      var bytes = inputs.randomElement(using: &dice) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &dice) {
        let at = Int.random(in: 0...bytes.count, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: bytes.insert(.random(in: 0...255, using: &dice), at: at)
        case 1 where at < bytes.count: bytes.remove(at: at)
        case 2 where at < bytes.count: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        default: bytes = Array(bytes[..<at])
        }
      }
      #expect(target.run(bytes) == nil, "seed \(seed), \(target.rawValue): \(bytes)")
    }
  }
}
