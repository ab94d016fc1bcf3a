public import StateModel

extension ViewStore {
  /// A binding that reads with `get` and sets by sending what `send` makes of the value.
  ///
  /// Where the reducer runs elsewhere and the action sets a field, the binding shows the value at
  /// once; the state shows it when the mirror does.
  public func binding<Value>(
    get: @escaping (ViewState) -> Value, send: @escaping (Value) -> ViewAction
  ) -> Binding<Value> {
    binding(get: get, field: send, send: send)
  }

  /// A binding that reads with `get` and sends the same action whatever it is set to.
  public func binding<Value>(
    get: @escaping (ViewState) -> Value, send action: ViewAction
  ) -> Binding<Value> {
    binding(get: get, send: { _ in action })
  }

  /// A binding.
  ///
  /// - Parameters:
  ///   - field: makes an action that tells which field is meant, and is not sent.
  ///   - encode: where the field is set only if it is still what the binding shows.
  func binding<Value>(
    get: @escaping (ViewState) -> Value, field: @escaping (Value) -> ViewAction,
    send: @escaping (Value) -> ViewAction, comparing encode: ((Value) -> [UInt8])? = nil
  ) -> Binding<Value> {
    let read = {
      let value = get(self.state)
      return self.pending?.value(over: value, field) ?? value
    }
    return Binding(
      get: read,
      set: { value in
        guard let pending = self.pending else {
          self.send(send(value))
          return
        }
        let comparison = encode.map { Comparison.shown($0(read())) } ?? .none
        pending.set(send(value), value, comparison)
      },
      changes: { self.observeBindings($0) })
  }
}

extension ViewStore where ViewAction: BindableAction {
  /// A binding to a field that may be set: `viewStore.binding(\.$text)`.
  ///
  /// - Parameter isCompared: whether the field is set only if it still is what the binding shows
  ///   then; else somebody else's value stays, and the set is refused with `conflict`.
  public func binding<Value: Mirrored>(
    _ keyPath: any WritableKeyPath<ViewState, BindingState<Value>> & Sendable,
    isCompared: Bool = false, fileID: String = #fileID, line: UInt = #line
  ) -> Binding<Value> where ViewAction.State == ViewState {
    binding(
      get: { $0[keyPath: keyPath].wrappedValue }, field: { .binding(.set(keyPath, $0)) },
      send: { Self.noticed(.set(keyPath, $0), SourceLocation(fileID: fileID, line: line)) },
      comparing: isCompared ? { $0.encoded() } : nil)
  }

  /// A binding that shows a part of the view state and sets a field of the state behind it:
  /// `viewStore.binding(\.$text, as: \.title)`.
  ///
  /// - Parameter isCompared: whether the field is set only if it still is what the binding shows
  ///   then; else somebody else's value stays, and the set is refused with `conflict`.
  public func binding<Value: Mirrored>(
    _ keyPath: any WritableKeyPath<ViewAction.State, BindingState<Value>> & Sendable,
    as shown: KeyPath<ViewState, Value>, isCompared: Bool = false,
    fileID: String = #fileID, line: UInt = #line
  ) -> Binding<Value> {
    binding(
      get: { $0[keyPath: shown] }, field: { .binding(.set(keyPath, $0)) },
      send: { Self.noticed(.set(keyPath, $0), SourceLocation(fileID: fileID, line: line)) },
      comparing: isCompared ? { $0.encoded() } : nil)
  }

  /// A binding to a field that the view state carries in a `ViewStateBinding`: `viewStore.$text`.
  public subscript<Value: Mirrored>(
    dynamicMember keyPath: KeyPath<ViewState, ViewStateBinding<ViewAction.State, Value>>
  ) -> Binding<Value> {
    let location = SourceLocation(fileID: "\(ViewState.self)", line: 0)
    return binding(
      get: { $0[keyPath: keyPath].wrappedValue },
      field: { .binding(self.state[keyPath: keyPath].set($0)) },
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
