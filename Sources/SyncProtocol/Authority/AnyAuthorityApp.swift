package import StateModel

/// An app whose type is forgotten.
///
/// The daemon runs its machine with this one type of app, for which the machine is compiled where
/// it is written. With an app of another module it would be generic code, which asks the runtime
/// for the layout of batches and views at every step of the hot path.
///
/// Not a value, unlike other apps: copies share the state. A machine has one, and is not copied.
package struct AnyAuthorityApp: AuthorityApp {
  package typealias Work = any Sendable
  package typealias View = AnyAuthorityView
  package typealias Checkpoint = any Sendable

  private let box: any AuthorityAppBox

  /// The app that does what `app` does.
  package init<App: AuthorityApp & SendableMetatype>(_ app: App)
  where App.Work == any Sendable {
    box = BoxedApp(app)
  }

  package var checkpoint: any Sendable { box.checkpoint }
  package mutating func restore(_ checkpoint: any Sendable) { box.restore(checkpoint) }
  package var rootDigest: Digest { box.rootDigest }
  package var schemaHash: UInt64 { box.schemaHash }
  package var wantsStarted: Bool { box.wantsStarted }
  package var wantsPresence: Bool { box.wantsPresence }
  package mutating func perform(_ entry: CommitEntry) -> Performed<any Sendable> {
    box.perform(entry)
  }
  package func openView(
    name: String, parameters: [UInt8]
  ) throws(ViewRefusal) -> AnyAuthorityView {
    try box.openView(name: name, parameters: parameters)
  }
  package var viewNames: [String] { box.viewNames }
  package var schemaDescription: Value { box.schemaDescription }
  package var asksQuestions: Bool { box.asksQuestions }
  package var dueAnswers: [DueAnswer] { box.dueAnswers }

  /// The app itself, for its views.
  fileprivate var object: AnyObject { box }
}

/// A view whose type is forgotten. A value: a copy is a pinned snapshot.
package struct AnyAuthorityView: AuthorityView {
  package typealias App = AnyAuthorityApp

  fileprivate var box: any AuthorityViewBox

  package var digest: Digest { box.digest }
  package var schemaHash: UInt64 { box.schemaHash }
  package mutating func refresh(from app: AnyAuthorityApp) -> Delta? {
    box.refresh(from: app.object)
  }
  package func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces? {
    box.encodedPieces(of: length, atMost: limit)
  }
  package func delta(from older: AnyAuthorityView) -> Delta { box.delta(from: older.box) }
}

private protocol AuthorityAppBox: AnyObject {
  var checkpoint: any Sendable { get }
  func restore(_ checkpoint: any Sendable)
  var rootDigest: Digest { get }
  var schemaHash: UInt64 { get }
  var wantsStarted: Bool { get }
  var wantsPresence: Bool { get }
  func perform(_ entry: CommitEntry) -> Performed<any Sendable>
  func openView(name: String, parameters: [UInt8]) throws(ViewRefusal) -> AnyAuthorityView
  var viewNames: [String] { get }
  var schemaDescription: Value { get }
  var asksQuestions: Bool { get }
  var dueAnswers: [DueAnswer] { get }
}

private final class BoxedApp<App: AuthorityApp & SendableMetatype>: AuthorityAppBox
where App.Work == any Sendable {
  var app: App

  init(_ app: App) { self.app = app }

  var checkpoint: any Sendable { app.checkpoint }

  func restore(_ checkpoint: any Sendable) {
    guard let checkpoint = checkpoint as? App.Checkpoint else {
      preconditionFailure("a checkpoint of \(type(of: checkpoint)) is none of \(App.self)")
    }
    app.restore(checkpoint)
  }

  var rootDigest: Digest { app.rootDigest }
  var schemaHash: UInt64 { app.schemaHash }
  var wantsStarted: Bool { app.wantsStarted }
  var wantsPresence: Bool { app.wantsPresence }

  func perform(_ entry: CommitEntry) -> Performed<any Sendable> { app.perform(entry) }

  func openView(name: String, parameters: [UInt8]) throws(ViewRefusal) -> AnyAuthorityView {
    AnyAuthorityView(
      box: BoxedView<App>(view: try app.openView(name: name, parameters: parameters)))
  }

  var viewNames: [String] { app.viewNames }
  var schemaDescription: Value { app.schemaDescription }
  var asksQuestions: Bool { app.asksQuestions }
  var dueAnswers: [DueAnswer] { app.dueAnswers }
}

private protocol AuthorityViewBox: Sendable {
  var digest: Digest { get }
  var schemaHash: UInt64 { get }
  mutating func refresh(from app: AnyObject) -> Delta?
  func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces?
  func delta(from older: any AuthorityViewBox) -> Delta
}

private struct BoxedView<App: AuthorityApp & SendableMetatype>: AuthorityViewBox
where App.Work == any Sendable {
  var view: App.View

  var digest: Digest { view.digest }
  var schemaHash: UInt64 { view.schemaHash }

  mutating func refresh(from app: AnyObject) -> Delta? {
    guard let app = app as? BoxedApp<App> else {
      preconditionFailure("a view of \(App.self) was refreshed from \(type(of: app))")
    }
    return Self.refresh(&view, from: &app.app)
  }

  /// The app is lent, and not copied.
  private static func refresh(_ view: inout App.View, from app: inout App) -> Delta? {
    view.refresh(from: app)
  }

  func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces? {
    view.encodedPieces(of: length, atMost: limit)
  }

  func delta(from older: any AuthorityViewBox) -> Delta {
    guard let older = older as? Self else {
      preconditionFailure("a view of \(App.self) was compared with a \(type(of: older))")
    }
    return view.delta(from: older.view)
  }
}
