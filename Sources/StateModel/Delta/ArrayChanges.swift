/// What all that encode as arrays share: finding the changes, and taking them in.
enum ArrayChanges {
  /// A change of an array, checked to fit an array of that many elements.
  enum Step<Element> {
    /// Goes on within an element.
    case element(Int)
    /// Replaces a range.
    case splice(Range<Int>, [Element])
    /// Moves an element; the second position counts after the removal.
    case move(Int, Int)
  }

  /// Writes the changes from one array to another that is the content of `whole`; `shared` is what
  /// is known to be in both.
  static func write<Elements: RandomAccessCollection>(
    from old: Elements, to new: Elements, shared: SharedRuns = SharedRuns(),
    of whole: some Mirrored, _ writer: inout DeltaWriter
  ) where Elements.Element: Mirrored, Elements.Index == Int {
    let difference = SequenceDifference(old: old.count, new: new.count, shared: shared) {
      new[$1].isIdentical(to: old[$0])
    }
    if difference.runs.isEmpty { return }
    writer.changes(to: whole) { writer in
      // What is left of a run has its new length already: positions are those of the new array.
      for run in difference.runs {
        if run.old.count == run.new.count {
          var (from, to) = (run.old.lowerBound, run.new.lowerBound)
          while to < run.new.upperBound {
            let known = shared.length(from: from, to)
            if known == 0 { writer.at(index: to) { new[to].writeDelta(from: old[from], to: &$0) } }
            from += Swift.max(1, known)
            to += Swift.max(1, known)
          }
        } else {
          writer.splice(
            index: run.new.lowerBound, removed: run.old.count, items: new[run.new])
        }
      }
    }
  }

  /// Reads what a change that ends at an array, or goes on into it, does to it.
  static func step<Element: Mirrored>(
    _ change: Change, at depth: Int, count: Int, of: Element.Type
  ) throws(DeltaFailure) -> Step<Element> {
    let path = change.path[..<depth]
    if depth < change.path.count {
      guard let index = try? Int(encoded: change.path[depth]), 0..<count ~= index else {
        throw DeltaFailure(
          "no such element in an array of \(count)", path: change.path[...depth])
      }
      if depth == change.path.count - 1, change.operation == .remove {
        throw DeltaFailure("elements are removed by splices", path: change.path[...])
      }
      return .element(index)
    }
    switch change.operation {
    case .splice(let index, let removed, let items):
      guard index <= count, removed <= count - index else {
        throw DeltaFailure(
          "elements \(index)..<\(index + removed) are not within an array of \(count)", path: path)
      }
      var elements: [Element] = []
      elements.reserveCapacity(items.count)
      for (offset, item) in items.enumerated() {
        do throws(DecodingFailure) {
          elements.append(try Element(encoded: item))
        } catch {
          throw DeltaFailure(error.under(index: index + offset).description, path: path)
        }
      }
      return .splice(index..<index + removed, elements)
    case .move(let from, let to):
      guard from < count, to < count else {
        throw DeltaFailure("a move from \(from) to \(to) in an array of \(count)", path: path)
      }
      return .move(from, to)
    case .set, .remove, .text:
      throw DeltaFailure("an array has no such part to change", path: path)
    }
  }
}
