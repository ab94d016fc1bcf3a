import StateModel

/// Writes a `Value` as JSON. Every number is the shortest text that reads back as the same number:
/// an integer as an integer, a float always with a point or an exponent.
struct JSONWriter {
  private var bytes: [UInt8] = []
  /// The first thing that the strict form cannot say.
  private(set) var failure: JSONWritingFailure?
  private let form: JSONText.Form
  private let layout: JSONText.Layout
  private var path: [String] = []

  /// What has been written.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  init(form: JSONText.Form, layout: JSONText.Layout) {
    self.form = form
    self.layout = layout
  }

  mutating func write(_ value: Value) {
    guard failure == nil else { return }
    switch value {
    case .null: put("null")
    case .bool(let flag): put(flag ? "true" : "false")
    case .unsigned(let number): put(String(number))
    case .negative(let complement): negative(complement)
    case .float(let number): float(number)
    case .text(let content): string(content.string)
    case .bytes(let bytes): word(.bytes, "a byte string") { $0.string(Self.hexadecimal(bytes)) }
    case .array(let items): array(items)
    case .map(let entries): map(entries)
    case .tag(let number, let item):
      word(.tag, "a tagged item") { $0.array([.unsigned(number), item] as [Value]) }
    }
  }

  private mutating func negative(_ complement: UInt64) {
    let digits = String(-1 - Int128(complement))
    if complement <= UInt64(Int64.max) {
      put(digits)
    } else {
      word(.integer, "the integer \(digits), below -2^63") { $0.string(digits) }
    }
  }

  private mutating func float(_ number: Double) {
    guard !number.isFinite else {
      // Swift writes the shortest digits that give the same bits back, with a point or an exponent.
      put(number.description)
      return
    }
    let name =
      if number.isNaN {
        number.bitPattern == Double.nan.bitPattern
          ? "nan" : "nan:" + String(number.bitPattern, radix: 16)
      } else {
        number < 0 ? "-inf" : "inf"
      }
    word(.float, "the float \(name)") { $0.string(name) }
  }

  /// Writes an object of one member in the extended form; in the strict one, fails.
  private mutating func word(
    _ word: Convention, _ what: String, _ content: (inout JSONWriter) -> Void
  ) {
    guard form == .extended else {
      failure = JSONWritingFailure(
        message: "JSON has no word for \(what): ask for the extended form", path: JSONPointer(path))
      return
    }
    open("{")
    newLine()
    string(word.rawValue)
    put(colon)
    content(&self)
    close("}")
  }

  private mutating func array(_ items: some Collection<Value>) {
    guard !items.isEmpty else {
      put("[]")
      return
    }
    open("[")
    for (index, item) in items.enumerated() {
      if index > 0 { put(",") }
      newLine()
      path.append(String(index))
      write(item)
      path.removeLast()
    }
    close("]")
  }

  private mutating func map(_ entries: ValueMap) {
    guard !entries.isEmpty else {
      put("{}")
      return
    }
    if entries.contains(where: { $0.key.string == nil }) {
      return word(.map, "a map with a key that is no text") { writer in
        writer.array(entries.map { Value.array([$0.key, $0.value]) })
      }
    }
    open("{")
    for (index, entry) in entries.enumerated() {
      guard let key = entry.key.string else { continue }
      if index > 0 { put(",") }
      newLine()
      let mistakable = form == .extended && entries.count == 1 && Convention.concerns(key)
      string(mistakable ? "@" + key : key)
      put(colon)
      path.append(key)
      write(entry.value)
      path.removeLast()
    }
    close("}")
  }

  private var indentation = 0

  private var colon: String { layout == .pretty ? ": " : ":" }

  private mutating func open(_ bracket: String) {
    put(bracket)
    indentation += 1
  }

  private mutating func close(_ bracket: String) {
    indentation -= 1
    newLine()
    put(bracket)
  }

  private mutating func newLine() {
    guard layout == .pretty else { return }
    put("\n")
    for _ in 0..<indentation { put("  ") }
  }

  private mutating func string(_ content: String) {
    put("\"")
    for scalar in content.unicodeScalars {
      if Self.needsEscape(scalar) {
        escape(scalar)
      } else if scalar.isASCII {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    put("\"")
  }

  /// What JSON wants escaped, and the control characters that a terminal would obey.
  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || (0x7F...0x9F).contains(scalar.value)
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": put("\\\"")
    case "\\": put("\\\\")
    case "\n": put("\\n")
    case "\r": put("\\r")
    case "\t": put("\\t")
    case "\u{8}": put("\\b")
    case "\u{C}": put("\\f")
    default: put("\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16))
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return text
  }
}
