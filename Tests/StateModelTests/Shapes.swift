import StateModel

/// Types of the sort that apps write, for the property tests and the vectors.
@Mirrored struct Todo: Identifiable {
  var id = 0
  var title = ""
  var isDone = false
  var tags: Set<String> = []
  var note: String?
}

extension Todo: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Todo {
    Todo(
      id: Int.random(in: 0..<30, using: &source), title: .random(&source),
      isDone: .random(&source), tags: .random(&source), note: .random(&source))
  }

  func neighbour(_ source: inout SeededGenerator) -> Todo {
    var copy = self
    switch Int.random(in: 0..<4, using: &source) {
    case 0: copy.title = title.neighbour(&source)
    case 1: copy.isDone.toggle()
    case 2: copy.tags = tags.neighbour(&source)
    default: copy.note = note.neighbour(&source)
    }
    return copy
  }
}

@Mirrored indirect enum Phase {
  case idle
  case loaded(Int)
  case moved(from: Int, to: Int)
  case pair(Int, String)
  case editing(EditableText)
  case retry(after: Phase, note: String?)
}

extension Phase: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Phase {
    switch Int.random(in: 0..<6, using: &source) {
    case 0: .idle
    case 1: .loaded(.random(&source))
    case 2: .moved(from: .random(&source), to: .random(&source))
    case 3: .pair(.random(&source), .random(&source))
    case 4: .editing(.random(&source))
    default: .retry(after: .random(&source), note: .random(&source))
    }
  }

  func neighbour(_ source: inout SeededGenerator) -> Phase {
    switch self {
    case .editing(let text): .editing(text.neighbour(&source))
    case .pair(let number, let text): .pair(number, text.neighbour(&source))
    case .retry(let phase, let note):
      .retry(after: phase.neighbour(&source), note: note.neighbour(&source))
    case .idle, .loaded, .moved: .random(&source)
    }
  }
}

@Mirrored struct Everything {
  var todos: IdentifiedArray<Todo> = []
  var phase = Phase.idle
  var byName: [String: [Todo]] = [:]
  var byNumber: [Int: Phase?] = [:]
  var names: SortedDictionary<String, Phase> = [:]
  var text: EditableText = ""
  var document = Value.null
  var maybe: Value?
  var twice: Int??
}

extension Everything: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Everything {
    Everything(
      todos: .random(&source), phase: .random(&source), byName: .random(&source),
      byNumber: .random(&source), names: .random(&source), text: .random(&source),
      document: .random(&source), maybe: .random(&source), twice: .random(&source))
  }

  func neighbour(_ source: inout SeededGenerator) -> Everything {
    var copy = self
    for _ in 0..<Int.random(in: 1...3, using: &source) {
      switch Int.random(in: 0..<9, using: &source) {
      case 0: copy.todos = todos.neighbour(&source)
      case 1: copy.phase = phase.neighbour(&source)
      case 2: copy.byName = byName.neighbour(&source)
      case 3: copy.byNumber = byNumber.neighbour(&source)
      case 4: copy.names = names.neighbour(&source)
      case 5: copy.text = text.neighbour(&source)
      case 6: copy.document = document.neighbour(&source)
      case 7: copy.maybe = maybe.neighbour(&source)
      default: copy.twice = .random(&source)
      }
    }
    return copy
  }
}
