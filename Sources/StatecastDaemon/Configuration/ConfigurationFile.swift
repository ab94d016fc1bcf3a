internal import CInih
internal import Glibc

/// What an INI file says, line by line: libinih splits it, this remembers where everything stood.
///
/// The one file of the configuration with pointers: libinih calls back.
struct ConfigurationFile: Equatable {
  /// A `key = value`.
  struct Entry: Equatable {
    var line: Int
    var section: String
    var key: String
    var value: String
  }

  /// A line that is none.
  struct Fault: Equatable {
    var line: Int
    var text: String
  }

  var entries: [Entry] = []
  var faults: [Fault] = []

  /// Splits a file's bytes.
  init(_ bytes: [UInt8]) {
    let parsing = Parsing(
      bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false))
    let user = Unmanaged.passUnretained(parsing).toOpaque()
    let firstBad = cinih_parse(
      { buffer, size, user in
        guard let buffer, let user else { return nil }
        let parsing = Unmanaged<Parsing>.fromOpaque(user).takeUnretainedValue()
        return parsing.copyNext(to: UnsafeMutableBufferPointer(start: buffer, count: Int(size)))
      }, user,
      { user, section, key, value in
        guard let user, let section, let key, let value else { return 0 }
        let parsing = Unmanaged<Parsing>.fromOpaque(user).takeUnretainedValue()
        parsing.entries.append(
          Entry(
            line: parsing.line, section: String(cString: section), key: String(cString: key),
            value: String(cString: value)))
        return 1
      }, user)
    // libinih tells only the first line that it could not read, and reads on.
    let isTold = parsing.faults.contains { $0.line == Int(firstBad) }
    if firstBad > 0, !isTold {
      parsing.faults.append(
        Fault(line: Int(firstBad), text: "not a [section], a key = value or a # comment"))
    }
    entries = parsing.entries
    faults = parsing.faults.sorted { $0.line < $1.line }
  }

  private final class Parsing {
    private let lines: [ArraySlice<UInt8>]
    /// The one handed out last, from 1 on: what the handler is called for.
    var line = 0
    var entries: [Entry] = []
    var faults: [Fault] = []

    init(_ lines: [ArraySlice<UInt8>]) { self.lines = lines }

    /// As fgets does: a line and a zero, at most as long as the buffer.
    func copyNext(to buffer: UnsafeMutableBufferPointer<CChar>) -> UnsafeMutablePointer<CChar>? {
      guard line < lines.count, buffer.count > 1 else { return nil }
      var bytes = lines[line]
      line += 1
      if bytes.count > buffer.count - 1 {
        faults.append(Fault(line: line, text: "longer than \(buffer.count - 1) bytes"))
        bytes = bytes.prefix(0)
      }
      if bytes.contains(0) {
        faults.append(Fault(line: line, text: "contains a zero byte"))
        bytes = bytes.prefix(0)
      }
      for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
      buffer[bytes.count] = 0
      return buffer.baseAddress
    }
  }
}
