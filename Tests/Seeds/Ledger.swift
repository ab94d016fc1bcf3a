public import Composable
public import StateModel

/// An app in the versions that it has had: what the first wrote, and what the second made of it.
///
/// The second knows more of a row, and renamed a field of the state; a third kind of first version has
/// places for what it does not know.
public enum Ledger {
  /// What both send.
  @Mirrored
  public enum Action: Equatable {
    /// A new row.
    case add(String)
    /// Another name for the ledger.
    case rename(String)
  }

  /// How far a row is, for the first version.
  @Mirrored
  public enum Status: Equatable {
    /// Not yet.
    case open
    /// Paid.
    case paid
  }

  /// A row of the first version.
  @Mirrored
  public struct Row: Identifiable, Equatable {
    /// Rising.
    public var id: Int
    /// What it is for.
    public var text = ""
    /// How far it is.
    public var status: Status

    /// A row.
    public init(id: Int, text: String, status: Status) {
      self.id = id
      self.text = text
      self.status = status
    }
  }

  /// The state of the first version.
  @Mirrored
  public struct State: Equatable {
    /// The ledger's name.
    public var title = "ledger"
    /// The rows.
    public var rows: IdentifiedArrayOf<Row> = []
    /// Nothing of it.
    public init() {}
  }

  /// The first version.
  public static var reducer: Reduce<State, Action> {
    Reduce { state, action in
      switch action {
      case .add(let text): state.rows.append(Row(id: state.rows.count, text: text, status: .open))
      case .rename(let title): state.title = title
      }
      return .none
    }
  }

  /// A first version that keeps what it does not know.
  public enum Careful {
    /// How far a row is.
    @Mirrored
    public enum Status: Equatable {
      /// Not yet.
      case open
      /// Paid.
      case paid
      /// As a later version calls it.
      case other(UnknownCase)
    }

    /// A row.
    @Mirrored
    public struct Row: Identifiable, Equatable {
      /// Rising.
      public var id: Int
      /// What it is for.
      public var text = ""
      /// How far it is.
      public var status: Status
      /// What a later version knows of it.
      public var further = UnknownFields()
    }

    /// The state.
    @Mirrored
    public struct State: Equatable {
      /// The rows.
      public var rows: IdentifiedArrayOf<Row> = []
      /// What a later version knows.
      public var further = UnknownFields()
    }

    /// What it sends: a row as it has it.
    @Mirrored
    public enum Action: Equatable {
      /// A row in the place of the one of its id.
      case put(Row)
    }
  }

  /// The second version.
  public enum Second {
    /// What is sent.
    @Mirrored
    public enum Action: Equatable {
      /// A new row.
      case add(String)
      /// Another name for the ledger.
      case rename(String)
      /// A row in the place of the one of its id.
      case put(Row)
      /// A row waits.
      case postpone(Int, until: String)
    }

    /// How far a row is.
    @Mirrored
    public enum Status: Equatable {
      /// Not yet.
      case open
      /// Paid.
      case paid
      /// Waits.
      case postponed(until: String)
    }

    /// A row.
    @Mirrored
    public struct Row: Identifiable, Equatable {
      /// Rising.
      public var id: Int
      /// What it is for.
      public var text = ""
      /// How far it is.
      public var status: Status
      /// New in this version.
      public var tags: [String] = ["none"]

      /// A row.
      public init(id: Int, text: String, status: Status, tags: [String] = ["none"]) {
        self.id = id
        self.text = text
        self.status = status
        self.tags = tags
      }
    }

    /// The state.
    @Mirrored
    public struct State: Equatable {
      /// The ledger's name, which was its title.
      @Wire(aliases: "title") public var name = "second"
      /// The rows.
      public var rows: IdentifiedArrayOf<Row> = []
      /// New in this version.
      public var changes = 0
      /// Nothing of it.
      public init() {}
    }

    /// What it does.
    public static var reducer: Reduce<State, Action> {
      Reduce { state, action in
        state.changes += 1
        switch action {
        case .add(let text):
          state.rows.append(Row(id: state.rows.count, text: text, status: .open))
        case .rename(let name): state.name = name
        case .put(let row): state.rows[id: row.id] = row
        case .postpone(let id, let day): state.rows[id: id]?.status = .postponed(until: day)
        }
        return .none
      }
    }
  }
}
