import Glibc
import StateModel
import Testing

@testable import StatecastDaemon

@Suite("A configuration file")
struct ConfigurationFileTests {
  private func parse(_ text: String) -> ConfigurationFile { ConfigurationFile(Array(text.utf8)) }

  @Test("knows the line of each key, whatever is between them")
  func lines() {
    let file = parse("\n# comment\n[a]\n\n  x = 1\n; comment\ny=2 ; a comment\n\n[b]\nx :3\r\nz =")
    #expect(
      file.entries == [
        .init(line: 5, section: "a", key: "x", value: "1"),
        .init(line: 7, section: "a", key: "y", value: "2"),
        .init(line: 10, section: "b", key: "x", value: "3"),
        .init(line: 11, section: "b", key: "z", value: ""),
      ])
    #expect(file.faults.isEmpty)
  }

  @Test("takes an indented key for a key, not for more of the value above")
  func indentation() {
    #expect(parse("[a]\nx = 1\n  y = 2").entries.map(\.key) == ["x", "y"])
  }

  @Test("keeps what follows the first equals sign")
  func values() {
    #expect(parse("[a]\nx = ipc:///run/a=b:c").entries.map(\.value) == ["ipc:///run/a=b:c"])
  }

  @Test("tells lines that are too long or hold a zero, and reads the others")
  func unreadable() {
    let long = String(repeating: "y", count: 5000)
    let file = parse("[a]\nx = 1\nl = \(long)\nz\u{0}q = 3\nw = 4")
    #expect(file.entries.map(\.key) == ["x", "w"])
    #expect(file.entries.map(\.line) == [2, 5])
    #expect(file.faults.map(\.line) == [3, 4])
    #expect(file.faults.first?.text.hasPrefix("longer than ") == true)
    #expect(file.faults.last?.text == "contains a zero byte")
  }

  @Test("survives any bytes")
  func anything() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("[]=;#:\n\r\t a\u{0}".utf8) + [0xFF, 0xC3]
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      let file = ConfigurationFile(bytes)
      let count = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
      let lines = file.entries.map(\.line) + file.faults.map(\.line)
      #expect(lines.allSatisfy { (1...count).contains($0) }, "seed \(seed)")
    }
  }

  @Test("that is a pipe is read when somebody writes to it, and not waited for when nobody does")
  func pipes() throws {
    let path = "/tmp/statecast-configuration-\(UInt32.random(in: .min ... .max))"
    defer { unlink(path) }
    try #require(mkfifo(path, 0o600) == 0)
    #expect(
      ConfigurationFile.read(path, patience: .milliseconds(20))
        == .failure(.init(isMissing: false, text: "nobody writes to it: it is a pipe")))
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let text = Array("mode = memory\n".utf8)
    #expect(write(ends[1], text, text.count) == text.count)
    close(ends[1])
    #expect(ConfigurationFile.read("/dev/fd/\(ends[0])") == .success(text))
  }
}
