// Outcomes are kept and journalled: what an app or a client says at length is cut.

extension String {
  /// As much of it as fits in so many bytes of UTF-8, an ellipsis in place of the rest.
  func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let ellipsis = "…"
    var end = utf8.index(startIndex, offsetBy: max(0, limit - ellipsis.utf8.count))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      utf8.formIndex(before: &end)
    }
    return String(unicodeScalars[..<end]) + ellipsis
  }
}

extension [[UInt8]] {
  /// The first elements of a path, as many as have so many bytes together.
  func cut(to limit: Int) -> [[UInt8]] {
    var bytes = 0
    let end = firstIndex { element in
      bytes += element.count
      return bytes > limit
    }
    return end.map { Array(self[..<$0]) } ?? self
  }
}
