public import StateModel

extension ViewStore {
  /// A binding that reads with `get` and sets by sending what `send` makes of the value.
  public func binding<Value>(
    get: @escaping (ViewState) -> Value, send: @escaping (Value) -> ViewAction
  ) -> Binding<Value> {
    Binding(get: { get(self.state) }, set: { self.send(send($0)) })
  }

  /// A binding that reads with `get` and sends the same action whatever it is set to.
  public func binding<Value>(
    get: @escaping (ViewState) -> Value, send action: ViewAction
  ) -> Binding<Value> {
    binding(get: get, send: { _ in action })
  }
}

extension ViewStore where ViewAction: BindableAction {
  /// A binding to a field that may be set: `viewStore.binding(\.$text)`.
  public func binding<Value: Mirrored>(
    _ keyPath: any WritableKeyPath<ViewState, BindingState<Value>> & Sendable,
    fileID: String = #fileID, line: UInt = #line
  ) -> Binding<Value> where ViewAction.State == ViewState {
    binding(
      get: { $0[keyPath: keyPath].wrappedValue },
      send: { Self.noticed(.set(keyPath, $0), SourceLocation(fileID: fileID, line: line)) })
  }

  /// A binding that shows a part of the view state and sets a field of the state behind it:
  /// `viewStore.binding(\.$text, as: \.title)`.
  public func binding<Value: Mirrored>(
    _ keyPath: any WritableKeyPath<ViewAction.State, BindingState<Value>> & Sendable,
    as shown: KeyPath<ViewState, Value>,
    fileID: String = #fileID, line: UInt = #line
  ) -> Binding<Value> {
    binding(
      get: { $0[keyPath: shown] },
      send: { Self.noticed(.set(keyPath, $0), SourceLocation(fileID: fileID, line: line)) })
  }

  /// A binding to a field that the view state carries in a `ViewStateBinding`: `viewStore.$text`.
  public subscript<Value: Mirrored>(
    dynamicMember keyPath: KeyPath<ViewState, ViewStateBinding<ViewAction.State, Value>>
  ) -> Binding<Value> {
    let location = SourceLocation(fileID: "\(ViewState.self)", line: 0)
    return binding(
      get: { $0[keyPath: keyPath].wrappedValue },
      send: { Self.noticed(self.state[keyPath: keyPath].set($0), location) })
  }

  /// A binding to a field that may be set: `viewStore.$text`.
  public subscript<Value: Mirrored>(
    dynamicMember keyPath: any WritableKeyPath<ViewState, BindingState<Value>> & Sendable
  ) -> Binding<Value> where ViewAction.State == ViewState {
    binding(keyPath, fileID: "\(ViewState.self)", line: 0)
  }

  private static func noticed(
    _ action: BindingAction<ViewAction.State>, _ location: SourceLocation
  ) -> ViewAction {
    var action = action
    action.use = BindingUse(
      IssueReport(
        """
        A binding of \(ViewAction.State.self) was sent, but no reducer applied it. Add \
        'BindingReducer()' to the body of the reducer whose action is \(ViewAction.self).
        """, at: location))
    return .binding(action)
  }
}
