public import Composable
public import StateModel
internal import SyncProtocol

/// Bindings are optimistic: what one has set is shown by the bindings to that field at once, and
/// until the mirror shows what the daemon made of it. The mirror itself is never touched.
extension RemoteStore: OptimisticStore {
  /// Whether a binding was set and the mirror does not show yet what became of it.
  package var hasPending: Bool { !sets.isEmpty }

  package func pending(for action: Action) -> PendingValue? {
    guard let place = bindingPaths.find(in: action.encoded()), let shown = sets.shown(place.key),
      let value = setValues[place.key]
    else { return nil }
    return PendingValue(action: shown.action, encoded: shown.value, value: value)
  }

  package func set(_ action: Action, to value: Any, comparing comparison: Comparison) {
    let encoded = action.encoded()
    guard let place = bindingPaths.find(in: encoded) else {
      send(action)
      return
    }
    var expected: [UInt8]?
    if case .shown(let bytes) = comparison { expected = bytes }
    let setting = sets.set(
      place.key, action: encoded, value: Array(encoded[place.value]), name: place.name,
      expected: expected)
    setValues[place.key] = value
    if let setting { send(setting) }
    tellPending()
  }

  package func observePending(_ observer: @escaping () -> Void) -> Observation {
    let id = nextObserver()
    setObservers.append((id, observer))
    return Observation { [weak self] in self?.setObservers.removeAll { $0.id == id } }
  }

  /// Calls `observer` when the daemon refuses what a binding has set, until the observation ends.
  /// What nobody observes is reported as a mistake, so that it is not lost.
  public func observeRefusedSets(
    _ observer: @escaping (RefusedSet) -> Void
  ) -> Observation {
    let id = nextObserver()
    refusalObservers.append((id, observer))
    return Observation { [weak self] in self?.refusalObservers.removeAll { $0.id == id } }
  }

  /// Sets a field only if it still has the value `expected`, and waits for what becomes of it.
  ///
  /// - Parameters:
  ///   - action: sets the field: `.counter(.set(\.$step, 3))`.
  ///   - expected: what the field must be; `conflict` when it is something else by then.
  @discardableResult
  public func perform<Value: Mirrored>(
    _ action: Action, expecting expected: Value, until milestone: Milestone = .durable
  ) async throws(ActionFailure) -> Receipt {
    flushSets()
    let encoded = action.encoded()
    guard let place = bindingPaths.find(in: encoded) else {
      throw ActionFailure(
        code: .invalid,
        message: "only a binding can expect a value of its field, and \(action) is none",
        isCertain: true)
    }
    return try await perform(
      Self.entry(
        place.name, action: encoded, value: Array(encoded[place.value]),
        expected: expected.encoded()),
      until: milestone)
  }

  /// What waits behind an unanswered set goes out before what is sent next.
  func flushSets() { for setting in sets.flush() { send(setting) } }

  private func send(_ setting: PendingSets.Setting) {
    submit(
      Self.entry(
        setting.name, action: setting.action, value: setting.value, expected: setting.expected),
      for: setting)
  }

  private static func entry(
    _ name: String, action: [UInt8], value: [UInt8], expected: [UInt8]?
  ) -> Entry {
    guard let expected, let digest = try? Value(encoded: expected).digest else {
      return Entry(.perform(action: action))
    }
    return Entry(
      .set(field: name, value: value),
      expectations: [Entry.Expectation(path: [], digest: digest)])
  }

  /// What became of a set.
  func take(_ signal: ClientEngine.ActionSignal, of setting: PendingSets.Setting) {
    switch signal {
    case .reached:
      if sets.reached(setting.id, in: setting.field) { forget(setting.field) }
    case .resolved(let resolution):
      let consequence = sets.answered(
        setting.id, in: setting.field, isDone: resolution.isDone)
      if let next = consequence.next { send(next) }
      if consequence.isShownAnew { forget(setting.field) }
      do throws(ActionFailure) {
        _ = try resolution.receipt()
      } catch {
        refuse(RefusedSet(field: setting.name, failure: error))
      }
    }
  }

  /// The mirror's value is shown again.
  private func forget(_ field: PendingSets.Field) {
    setValues[field] = nil
    tellPending()
  }

  private func tellPending() { for observer in setObservers { observer.call() } }

  private func refuse(_ refusal: RefusedSet) {
    if refusalObservers.isEmpty {
      reportIssue(
        IssueReport(
          "\(refusal). Show it to whoever set it: 'observeRefusedSets' of the store tells."))
    }
    for observer in refusalObservers { observer.call(refusal) }
  }
}
