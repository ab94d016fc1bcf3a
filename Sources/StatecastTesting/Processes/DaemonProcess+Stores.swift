public import StateModel
public import StatecastClient

extension DaemonProcess {
  /// A store of one of its views, on a connection of its own.
  public func store<ViewState: Mirrored, Action: Mirrored>(
    _ view: String, of viewState: ViewState.Type, action: Action.Type,
    isolation: isolated any Actor = #isolation
  ) async throws -> RemoteStore<ViewState, Action> {
    try await connect().store(view, of: viewState, action: action)
  }

  /// A store of one of its views that asserts what it publishes.
  public func testStore<ViewState: Mirrored & Equatable, Action: Mirrored>(
    _ view: String, of viewState: ViewState.Type, action: Action.Type,
    isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> RemoteTestStore<ViewState, Action> {
    try await RemoteTestStore(
      store(view, of: viewState, action: action), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
