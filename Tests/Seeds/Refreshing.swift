// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Composable
public import StateModel

/// The fifth seed: a parent that has a child do something, told apart by how the parent reaches it.
///
/// The first way: a trigger in the state. Its value means nothing; that it has changed does.
public struct Trigger: Reducer {
  @Mirrored public struct State {
    public var refreshingID = 0
    /// The second way: the work is the parent's own, as an effect.
    public var loaded: [String] = []

    public init() {}
  }

  @Mirrored public enum Action {
    case refreshTapped
    case loadTapped
    case loaded([String])
  }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .refreshTapped:
      state.refreshingID &+= 1
      return .none
    case .loadTapped:
      @Dependency(\.loader) var loader
      return .run { send in await send(.loaded(await loader())) }
    case .loaded(let lines):
      state.loaded = lines
      return .none
    }
  }
}

/// The child of the first way: refreshes when the trigger has changed, and not when it appears.
public final class TriggeredChild<TheStore: StoreProtocol<Trigger.State, Trigger.Action>> {
  public private(set) var refreshes = 0
  private var last: Int
  private var observation: Observation?

  public init(store: TheStore) {
    let viewStore = ViewStore(
      store, observe: { $0.refreshingID }, send: { (action: Trigger.Action) in action })
    last = viewStore.state
    observation = viewStore.observe { [weak self] id in
      guard let self, id != last else { return }
      last = id
      refreshes += 1
    }
  }
}

/// The parent of the third way: a child hands it a handle once it has appeared, and the parent calls
/// that. It keeps no child alive.
public final class CallingParent {
  public private(set) var refresh: ActionHandle<CalledChild>?

  public init() {}

  public func childAppeared(_ handle: ActionHandle<CalledChild>) { refresh = handle }

  /// Whether there was a child to refresh.
  public func refreshTapped() -> Bool { refresh?() ?? false }
}

/// A child that can be refreshed.
public final class CalledChild {
  public private(set) var refreshes = 0

  public init() {}

  public var handle: ActionHandle<CalledChild> { ActionHandle(of: self) { $0.refreshes += 1 } }
}

/// The third way between processes: the state holds what children offer to be called by.
public struct Calling: Reducer {
  @Mirrored public struct State {
    public var handles: [Handle] = []

    public init() {}
  }

  @Mirrored public enum Action {
    case handlesChanged(HandleChange)
  }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .handlesChanged(let change):
      @Dependency(\.origin) var origin
      guard change.isCredible(from: origin) else { return .reject("not yours to offer") }
      change.apply(to: &state.handles)
      return .none
    }
  }
}

/// What the second way's effect asks.
public struct Loader: Sendable {
  let load: @Sendable () async -> [String]

  public init(_ load: @escaping @Sendable () async -> [String]) { self.load = load }
  public func callAsFunction() async -> [String] { await load() }
}

extension DependencyValues {
  public var loader: Loader {
    get { self[LoaderKey.self] }
    set { self[LoaderKey.self] = newValue }
  }

  private enum LoaderKey: DependencyKey {
    static let liveValue = Loader { ["fresh"] }
  }
}
