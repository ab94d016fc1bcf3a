import Composable
import StateModel
import StatecastDaemon

/// A shelf of books, in the versions that its app has had.
enum Shelf {
  @Mirrored
  enum Action {
    case put(String)
  }

  /// The first: a title and books.
  @Mirrored
  struct First {
    var title = "mine"
    var books: [String] = []
    var about = String(repeating: "shelf ", count: 40)
  }

  /// The second: the title has another name, and there is a count of what was ever put there.
  @Mirrored
  struct Second {
    @Wire(aliases: "title") var name = ""
    var books: [String] = []
    var everPut = 0
    var lent: [String] = ["nothing"]
    var about = ""
  }

  /// The third: the books have shelves of their own, which no default and no alias can say.
  @Mirrored
  struct Third {
    var name: String
    var shelves: [String: [String]]
    var everPut: Int
    var about: String
  }

  /// Another app's.
  @Mirrored
  struct Foreign {
    var books: Int
  }

  static func reducer<State: Mirrored>(
    _ put: @escaping @Sendable (inout State, String) -> Void
  ) -> Reduce<State, Action> {
    Reduce { state, action in
      switch action {
      case .put(let book): put(&state, book)
      }
      return .none
    }
  }

  struct FirstDaemon: DaemonApp {
    var name: String { "shelf" }
    var reducer: Reduce<First, Action> { Shelf.reducer { $0.books.append($1) } }
    var initialState: First { First() }
    var views: [ViewDefinition<First>] { [ViewDefinition("shelf") { $0 }] }
  }

  struct SecondDaemon: DaemonApp {
    var name: String { "shelf" }
    var reducer: Reduce<Second, Action> {
      Shelf.reducer {
        $0.books.append($1)
        $0.everPut += 1
        // A change within what the older version's state did not have.
        $0.lent.append($1)
      }
    }
    var initialState: Second { Second(name: "mine") }
    var views: [ViewDefinition<Second>] { [ViewDefinition("shelf") { $0 }] }
  }

  struct ThirdDaemon: DaemonApp {
    var name: String { "shelf" }
    var reducer: Reduce<Third, Action> {
      Shelf.reducer {
        $0.shelves["upper", default: []].append($1)
        $0.everPut += 1
      }
    }
    var initialState: Third { Third(name: "mine", shelves: [:], everPut: 0, about: "") }
    var views: [ViewDefinition<Third>] { [ViewDefinition("shelf") { $0 }] }

    func migrate(_ old: OlderState) throws -> Third {
      var value = old.value
      let books = value["books"] ?? []
      value["books"] = nil
      value["shelves"] = .map(["lower": books])
      value["everPut"] = value["everPut"] ?? .integer(Int64(books.elements?.count ?? 0))
      value["name"] = value["name"] ?? value["title"]
      return try Third(value)
    }
  }

  struct ForeignDaemon: DaemonApp {
    var name: String { "shelf" }
    var reducer: Reduce<Foreign, Action> { Shelf.reducer { state, _ in state.books += 1 } }
    var initialState: Foreign { Foreign(books: 0) }
    var views: [ViewDefinition<Foreign>] { [ViewDefinition("shelf") { $0 }] }
  }
}
