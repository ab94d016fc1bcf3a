import Composable
import StateModel
import Testing

@Mirrored struct Form {
  @Mirrored struct Nested {
    var field = ""
    var other = 0
  }

  @BindingState var text = ""
  @BindingState var number = 0
  @BindingState var nested = Nested()
  var locked = "locked"
  var log: [String] = []

  @Mirrored struct View {
    @BindingState var text: String
    @BindingState var amount: Int
    @BindingState var strange: Bool
  }

  var view: View {
    get { View(text: text, amount: number, strange: false) }
    set {
      text = newValue.text
      number = newValue.amount
    }
  }
}

@Mirrored enum FormAction: BindableAction {
  case binding(BindingAction<Form>)
  case other(Int)

  static func view(_ action: ViewAction) -> FormAction {
    switch action {
    case .binding(let binding):
      return .binding(binding.pullback(\.view, aliases: ["amount": "number"]))
    }
  }

  @Mirrored enum ViewAction: BindableAction {
    case binding(BindingAction<Form.View>)
  }
}

struct FormReducer: Reducer {
  var isBound = true

  var body: some Reducer<Form, FormAction> {
    Reduce { state, action in
      if case .binding(\.$text) = action { state.log.append("before: \(state.text)") }
      return .none
    }
    if isBound { BindingReducer() }
    Reduce { state, action in
      switch action {
      case .binding(\.$text): state.log.append("after: \(state.text)")
      case .binding(\.$nested): state.log.append("nested")
      case .binding(\.$nested.field): state.log.append("nested.field")
      case .binding: state.log.append("binding")
      case .other: break
      }
      return .none
    }
  }
}

@Suite("Rules 14 to 18: bindings", .timeLimit(.minutes(5)))
@MainActor
struct BindingTests {
  private func makeStore(isBound: Bool = true) -> Store<Form, FormAction> {
    Store(initialState: Form()) { FormReducer(isBound: isBound) }
  }

  @Test("Rule 14: bindings are equal when field and value are")
  func equality() {
    typealias Action = BindingAction<Form>
    #expect(Action.set(\.$text, "a") == .set(\.$text, "a"))
    #expect(Action.set(\.$text, "a") != .set(\.$text, "b"))
    #expect(Action.set(\.$nested.field, "a") != .set(\.$text, "a"))
  }

  @Test("Rule 14: reducers before BindingReducer see the old value, those after it the new one")
  func order() {
    let store = makeStore()
    store.send(.set(\.$text, "new"))
    #expect(store.state.log == ["before: ", "after: new"])
  }

  @Test("Rule 14: a pattern matches its field exactly")
  func pattern() {
    let store = makeStore()
    store.send(.set(\.$nested, Form.Nested(field: "x")))
    store.send(.set(\.$nested.field, "y"))
    store.send(.set(\.$number, 1))
    #expect(store.state.log == ["nested", "nested.field", "binding"])
    #expect(store.state.nested == Form.Nested(field: "y"))
  }

  @Test("Rule 14: a binding state is an allow-list, and encodes as the bare value")
  func allowList() {
    #expect(Form.bindingFields.map(\.name).sorted() == ["nested", "number", "text"])
    #expect(
      Schema(of: FormAction.self).settableFields.map(\.name).sorted() == [
        "nested", "number", "text",
      ])
  }

  @Test("Rule 15: a binding travels as its field's name and the value")
  func wireForm() throws {
    let action = FormAction.set(\.$text, "hi")
    let wire = try Value(encoded: action.encoded())
    #expect(wire == .map(["binding": .map(["text": .text("hi")])]))
    let decoded = try FormAction(encoded: action.encoded())
    #expect(decoded == action)
    #expect(decoded.digest == wire.digest)
    let store = makeStore()
    store.send(decoded)
    #expect(store.state.text == "hi")
    #expect(store.state.log == ["before: ", "after: hi"])
  }

  @Test(
    "Rules 15 and 18: what may not be set, or does not fit, is refused by name",
    arguments: [
      (
        ["locked": Value.text("x")],
        "locked may not be set from outside; there are text, nested, number"
      ),
      (["number": .text("x")], "number: expected an integer, found a text"),
      ([:], "a binding is a map of one field"),
    ] as [([String: Value], String)])
  func refused(fields: [String: Value], message: String) {
    let bytes = Value.map(["binding": .map(fields)]).encoded()
    let failure = #expect(throws: DecodingFailure.self) { try FormAction(encoded: bytes) }
    #expect(failure?.description.hasSuffix(message) == true, "\(failure?.description ?? "")")
  }

  // MARK: The four ways

  @Mirrored struct CarriedState {
    @ViewStateBinding<Form, String> var text: String
    var title = "shown"

    init(_ state: Form) { _text = ViewStateBinding(state, \.$text) }
  }

  struct PlainState: Equatable {
    var title: String
  }

  /// What a store gets, of which only the encoding counts.
  private func sent(_ act: (Store<Form, FormAction>) -> Void) -> [[UInt8]] {
    let sent = Collected<[UInt8]>()
    let store = Store(initialState: Form()) {
      FormReducer()
      Reduce<Form, FormAction> { _, action in
        sent.add(action.encoded())
        return .none
      }
    }
    act(store)
    #expect(store.state.log == ["before: ", "after: typed"])
    return sent.values
  }

  @Test("Rule 15: all four ways send the same action, and read what they have set")
  func fourWays() {
    let expected = [FormAction.set(\.$text, "typed").encoded()]
    let carried = sent { store in
      let view = ViewStore(store, observe: CarriedState.init)
      view.$text.wrappedValue = "typed"
      #expect(view.text == "typed")
      #expect(view.$text.wrappedValue == "typed")
    }
    let named = sent { store in
      let view = ViewStore(store, observe: { PlainState(title: $0.text) })
      view.binding(\.$text, as: \.title).wrappedValue = "typed"
      #expect(view.title == "typed")
    }
    let pulledBack = sent { store in
      let view = ViewStore(store, observe: \.view, send: FormAction.view)
      view.binding(\.$text).wrappedValue = "typed"
      #expect(view.$text.wrappedValue == "typed")
    }
    let plain = sent { store in
      let view = ViewStore(store, observe: { PlainState(title: $0.text) })
      let binding = view.binding(get: \.title, send: { FormAction.set(\.$text, $0) })
      binding.wrappedValue = "typed"
      #expect(binding.wrappedValue == "typed")
    }
    #expect(carried == expected)
    #expect(named == expected)
    #expect(pulledBack == expected)
    #expect(plain == expected)
  }

  @Test("Rule 15: a view's binding is pulled back by name, by alias, or reported with both names")
  func pullback() {
    let reports = Log<String>()
    withDependencies {
      $0.issueReporter = IssueReporter { reports.add($0.message) }
    } operation: {
      #expect(FormAction.view(.set(\.$text, "a")) == .set(\.$text, "a"))
      #expect(FormAction.view(.set(\.$amount, 3)) == .set(\.$number, 3))
      #expect(reports.all == [])
      _ = FormAction.view(.set(\.$strange, true))
    }
    #expect(
      reports.all == [
        """
        A binding of View to 'strange' has no counterpart in Form: there is no @BindingState field \
        of that name and type. Give the field there the same name, or name it in \
        'pullback(_:aliases:)'.
        """
      ])
  }

  @Test("Rule 15: a carried binding comes back from the wire able to set")
  func carriedRoundTrip() throws {
    var form = Form()
    form.text = "before"
    let state = CarriedState(form)
    var mirror = try CarriedState(encoded: state.encoded())
    #expect(mirror == state)
    #expect(mirror.$text.wrappedValue == "before")
    form.text = "after"
    let next = CarriedState(form)
    try mirror.apply(next.delta(from: state))
    #expect(mirror == next)
    #expect(mirror.digest == next.digest)
  }

  @Test("Rule 18: a missing BindingReducer is reported, with the action it is missing for")
  func missingReducer() {
    let reports = Log<String>()
    withDependencies {
      $0.issueReporter = IssueReporter { reports.add($0.message) }
    } operation: {
      let view = ViewStore(makeStore(isBound: false), observe: { $0 })
      view.binding(\.$text).wrappedValue = "lost"
      #expect(view.text == "")
      let bound = ViewStore(makeStore(), observe: { $0 })
      bound.binding(\.$text).wrappedValue = "kept"
    }
    #expect(
      reports.all == [
        """
        A binding of Form was sent, but no reducer applied it. Add 'BindingReducer()' to the body \
        of the reducer whose action is FormAction.
        """
      ])
    var core = ReducerCore(FormReducer(isBound: false))
    var state = Form()
    #expect(core.perform(.set(\.$text, "x"), on: &state).bindingCount == 0)
    var boundCore = ReducerCore(FormReducer())
    #expect(boundCore.perform(.set(\.$text, "x"), on: &state).bindingCount == 1)
  }

  @Test("Rule 18: a part of a field has no name on the wire, which is reported")
  func unregistered() throws {
    let reports = Log<String>()
    let bytes = withDependencies {
      $0.issueReporter = IssueReporter { reports.add($0.message) }
    } operation: {
      FormAction.set(\.$nested.field, "x").encoded()
    }
    #expect(
      reports.all == [
        """
        A binding of Form sets a field that is not registered, so another process cannot name it. \
        Mark the field itself with @BindingState in a @Mirrored type, and set it as a whole.
        """
      ])
    #expect(throws: DecodingFailure.self) { try FormAction(encoded: bytes) }
  }

  // MARK: Rule 16

  private final class Source {
    var value: Form.Nested
    init(_ value: Form.Nested) { self.value = value }
    var binding: Binding<Form.Nested> { Binding(get: { self.value }, set: { self.value = $0 }) }
  }

  @Test("Rule 16: a binding reads and sets where the value lives, whole, in part and transformed")
  func binding() throws {
    let source = Source(Form.Nested(field: "a", other: 1))
    let binding = source.binding
    binding.field.wrappedValue = "b"
    #expect(source.value == Form.Nested(field: "b", other: 1))
    let text = binding.other.map(get: { "\($0)" }, set: { Int($0) ?? 0 })
    text.wrappedValue = "12"
    #expect(source.value.other == 12)
    #expect(Binding.constant(3).wrappedValue == 3)
    var optional: Int? = 4
    let wrapped = try #require(
      Binding(get: { optional }, set: { optional = $0 }).unwrapped())
    wrapped.wrappedValue = 5
    #expect(optional == 5)
    optional = nil
    #expect(wrapped.wrappedValue == 4, "the last that was known")
  }

  @Test("Rule 16: two wrappers over one live source differ once the value has changed")
  func equatableBinding() {
    struct AppState: Equatable {
      @EquatableBinding<Form.Nested> var file: Binding<Form.Nested>
    }
    let source = Source(Form.Nested())
    let old = AppState(file: source.binding)
    var new = old
    #expect(old == new)
    new.file.wrappedValue.other = 9
    #expect(old == new, "nothing was stored yet, and equality does not look")
    new.$file.wrappedValue.wrappedValue.other = 10
    new.file = source.binding
    #expect(old != new)
    #expect(old.$file.snapshot.other == 0)
    #expect(new.$file.snapshot.other == 10)
  }
}
