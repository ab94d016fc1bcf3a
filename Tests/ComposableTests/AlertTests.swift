import Composable
import FoundationEssentials
import StateModel
import Testing

/// The older generation: plain optional state and a dismiss action.
@Mirrored struct Asking {
  var alert: AlertState<AskingAction>?
  var dialog: ConfirmationDialogState<AskingAction>?
  var count = 0

  static let places = [
    AlertPlace<Asking, AskingAction>(
      alert: { $0.alert }, action: { $0 }, dismiss: .alertDismissed),
    AlertPlace<Asking, AskingAction>(
      dialog: { $0.dialog }, action: { $0 }, dismiss: .dialogDismissed),
  ]
}

@Mirrored enum AskingAction {
  case alertButtonTapped
  case alertDismissed
  case dialogButtonTapped
  case dialogDismissed
  case incrementButtonTapped
  case decrementButtonTapped
  case againButtonTapped
}

struct AskingReducer: Reducer {
  func reduce(into state: inout Asking, action: AskingAction) -> Effect<AskingAction> {
    switch action {
    case .alertButtonTapped:
      state.alert = .init(
        title: .init("Alert!"), message: .init("This is an alert"),
        primaryButton: .cancel(.init("Cancel")),
        secondaryButton: .default(.init("Increment"), action: .send(.incrementButtonTapped)))
    case .alertDismissed: state.alert = nil
    case .dialogButtonTapped:
      state.dialog = .init(
        title: .init("Confirmation dialog"), message: .init("Up or down?"),
        buttons: [
          .cancel(.init("Cancel")),
          .default(.init("Increment"), action: .send(.incrementButtonTapped)),
          .destructive(.init("Decrement"), action: .send(.decrementButtonTapped)),
          .default(.init("Again"), action: .send(.againButtonTapped)),
        ])
    case .dialogDismissed: state.dialog = nil
    case .incrementButtonTapped:
      state.alert = AlertState(title: "Incremented!")
      state.count += 1
    case .decrementButtonTapped: state.count -= 1
    case .againButtonTapped: return .send(.dialogButtonTapped)
    }
    return .none
  }
}

@Suite("Rules 19 to 21: alerts and dialogs", .timeLimit(.minutes(5)))
@MainActor
struct AlertTests {
  private func commit(
    _ action: AskingAction, on state: inout Asking, seed: UInt64 = 1
  ) {
    var core = ReducerCore(AskingReducer())
    _ = core.perform(action, on: &state, facts: CommitFacts(seed: seed))
  }

  @Test("Rule 19: a second alert with the same text is equal, but not the same")
  func identity() {
    var first = Asking()
    var second = Asking()
    commit(.alertButtonTapped, on: &first, seed: 1)
    commit(.alertButtonTapped, on: &second, seed: 2)
    #expect(first == second)
    #expect(!first.isIdentical(to: second))
    #expect(first.digest != second.digest)
    var replayed = Asking()
    commit(.alertButtonTapped, on: &replayed, seed: 1)
    #expect(replayed.encoded() == first.encoded(), "replaying gives the same bytes")
  }

  @Test("Rule 19: a second alert with the same text is delivered")
  func delivered() {
    let store = Store(initialState: Asking()) { AskingReducer() }
    let view = ViewStore(store, observe: { $0 })
    let seen = Collected<UUID?>()
    let observation = view.observe { seen.add($0.alert?.id) }
    view.send(.alertButtonTapped)
    view.send(.alertButtonTapped)
    #expect(Set(seen.values).count == 3)
    observation.cancel()
  }

  @Test("Rule 19: an alert is tag 60002 around a map that a stranger understands")
  func wireForm() throws {
    var state = Asking()
    commit(.alertButtonTapped, on: &state)
    let alert = try #require(state.alert)
    let value = try Value(encoded: alert.encoded())
    guard case .tag(60_002, let map) = value else {
      Issue.record("not tagged: \(value)")
      return
    }
    #expect(map["kind"] == "alert")
    #expect(map["title"] == "Alert!")
    #expect(map["message"] == "This is an alert")
    #expect(map["id"] == Value(of: alert.id))
    #expect(map["terms"] == .null)
    let terms = Value(
      of: alert.answered(by: .client(3)).answered(at: Date(timeIntervalSince1970: 0), with: 1))
    guard case .tag(60_002, let content) = terms else {
      Issue.record("not tagged: \(terms)")
      return
    }
    #expect(content["terms"]?["answerers"] == ["client": 3])
    #expect(content["terms"]?["deadline"]?["button"] == 1)
    let buttons = try #require(map["buttons"])
    #expect(buttons[0]?["role"] == "cancel")
    #expect(buttons[0]?["action"] == .null)
    #expect(buttons[1]?["label"] == "Increment")
    #expect(buttons[1]?["role"] == .null)
    #expect(buttons[1]?["action"] == Value(of: AskingAction.incrementButtonTapped))
    #expect(value.digest == alert.digest)
    #expect(try AlertState<AskingAction>(encoded: alert.encoded()).isIdentical(to: alert))
  }

  @Test("Rule 19: alerts and dialogs come and go by delta, and are not taken for one another")
  func deltas() throws {
    var states = [Asking()]
    for (seed, action) in [
      AskingAction.alertButtonTapped, .dialogButtonTapped, .alertDismissed, .alertButtonTapped,
      .dialogDismissed,
    ].enumerated() {
      var next = states[states.count - 1]
      commit(action, on: &next, seed: UInt64(seed))
      states.append(next)
    }
    for (old, new) in zip(states, states.dropFirst()) {
      var mirror = old
      try mirror.apply(new.delta(from: old))
      #expect(mirror.isIdentical(to: new))
      #expect(mirror.digest == Value(of: new).digest)
    }
    let dialog = try #require(states[2].dialog)
    let failure = #expect(throws: DecodingFailure.self) {
      try AlertState<AskingAction>(encoded: dialog.encoded())
    }
    #expect(failure?.description == "kind: expected kind alert, found dialog")
  }

  @Test(
    "Rule 19: texts are verbatim, by key, or joined, and come back from the wire",
    arguments: [
      ("plain", "plain"), (TextState(key: "greeting", "Ann", 3), "greeting Ann 3"),
      (TextState("a ") + TextState(key: "b"), "a b"),
    ] as [(TextState, String)])
  func texts(text: TextState, shown: String) throws {
    #expect("\(text)" == shown)
    let back = try TextState(encoded: text.encoded())
    #expect(back == text)
    #expect(back.digest == Value(of: text).digest)
  }

  @Test("Rule 19: builders make alerts and dialogs with any buttons, or none")
  func builders() {
    let isSevere = true
    let alert = AlertState<AskingAction> {
      TextState("Title")
    } actions: {
      ButtonState(role: .cancel) { TextState("Cancel") }
      if isSevere {
        ButtonState(role: .destructive, action: .decrementButtonTapped) { TextState("Down") }
      }
      for action in [AskingAction.incrementButtonTapped] {
        ButtonState(action: .send(action)) { TextState("Up") }
      }
    } message: {
      TextState("Message")
    }
    #expect(alert.buttons.map(\.role) == [.cancel, .destructive, nil])
    #expect(
      alert.buttons.map(\.action) == [nil, .decrementButtonTapped, .incrementButtonTapped])
    #expect(
      alert
        == AlertState(
          title: "Title", message: "Message",
          buttons: [
            .cancel("Cancel"), .destructive("Down", action: .send(.decrementButtonTapped)),
            .default("Up", action: .send(.incrementButtonTapped)),
          ]))
    #expect(ConfirmationDialogState<AskingAction> { TextState("x") }.buttons == [])
  }

  // MARK: Rule 20, the older generation; the newer one is in PresentationTests

  private func answer(
    _ button: Int?, to id: UUID?, on state: inout Asking
  ) throws -> Cascade<AskingAction> {
    var core = ReducerCore(AskingReducer())
    let answer = try AlertAnswer(
      to: try #require(id), button: button, in: state, of: Asking.places)
    return core.perform(answer, on: &state, facts: CommitFacts(seed: 77))
  }

  @Test("Rule 20: a button's action and the dismissal are one commit")
  func answered() throws {
    var state = Asking()
    commit(.dialogButtonTapped, on: &state)
    let cascade = try answer(2, to: state.dialog?.id, on: &state)
    #expect(state.count == -1)
    #expect(state.dialog == nil)
    #expect(cascade.actionCount == 2)
  }

  @Test("Rule 20: an alert that the action put up in its place stays")
  func replaced() throws {
    var state = Asking()
    commit(.alertButtonTapped, on: &state)
    let cascade = try answer(1, to: state.alert?.id, on: &state)
    #expect(state.count == 1)
    #expect(state.alert == AlertState(title: "Incremented!"))
    #expect(cascade.actionCount == 1)
  }

  @Test("Rule 20: a dialog that the action's own effect put up stays too")
  func replacedByEffect() throws {
    var state = Asking()
    commit(.dialogButtonTapped, on: &state)
    let old = state.dialog?.id
    _ = try answer(3, to: old, on: &state)
    #expect(state.dialog != nil)
    #expect(state.dialog?.id != old)
  }

  @Test(
    "Rule 20: a button without an action dismisses, and so does no button",
    arguments: [0, nil] as [Int?])
  func dismissed(button: Int?) throws {
    var state = Asking()
    commit(.alertButtonTapped, on: &state)
    commit(.dialogButtonTapped, on: &state)
    _ = try answer(button, to: state.dialog?.id, on: &state)
    #expect(state.dialog == nil)
    #expect(state.alert != nil, "the other one stays")
    #expect(state.count == 0)
  }

  @Test("Rule 21: a question is answered once; a button that it does not have is none")
  func refusals() throws {
    var state = Asking()
    commit(.dialogButtonTapped, on: &state)
    let id = try #require(state.dialog?.id)
    #expect(throws: AlertAnswer<Asking, AskingAction>.Refusal.noButton(count: 4)) {
      try AlertAnswer(to: id, button: 4, in: state, of: Asking.places)
    }
    _ = try answer(1, to: id, on: &state)
    #expect(throws: AlertAnswer<Asking, AskingAction>.Refusal.noQuestion) {
      try AlertAnswer(to: id, button: 1, in: state, of: Asking.places)
    }
  }

  @Test("Rule 20: a store in this process is answered the same way")
  func storeAnswer() throws {
    let store = Store(initialState: Asking()) { AskingReducer() }
    store.send(.dialogButtonTapped)
    let id = try #require(store.state.dialog?.id)
    #expect(store.answer(id, button: 2, of: Asking.places))
    #expect(store.state.count == -1)
    #expect(store.state.dialog == nil)
    #expect(!store.answer(id, button: 2, of: Asking.places))
    #expect(store.state.count == -1)
  }

  @Test("Rule 20: a place in a child's state is one in its parent's")
  func pulledBackPlace() throws {
    struct Parent: Sendable {
      var child: Asking?
    }
    enum ParentAction: Sendable {
      case child(AskingAction)
    }
    let places = Asking.places.map {
      $0.pullback(state: { (parent: Parent) in parent.child }, action: ParentAction.child)
    }
    var parent = Parent(child: Asking())
    parent.child?.alert = AlertState(
      title: "x", buttons: [.default("y", action: .send(.incrementButtonTapped))])
    let id = try #require(parent.child?.alert?.id)
    let answer = try AlertAnswer(to: id, button: 0, in: parent, of: places)
    guard case .child(.incrementButtonTapped) = answer.action else {
      Issue.record("another action: \(answer.action)")
      return
    }
  }
}
