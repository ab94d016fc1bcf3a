internal import SyncProtocol

/// The names that an app gives itself and its views: they become folders and topics.
enum AppNames {
  private static let form = "1 to 64 of A-Z a-z 0-9 . _ -"

  /// Throws where an app's name could lead out of the folders that it names.
  static func check(app name: String) throws(HostFailure) {
    guard Topic.isViewName(name), !name.hasPrefix(".") else {
      throw HostFailure(
        "\"\(name)\" cannot be the name of an app: it names folders",
        advice: "Let 'name' have \(form), the first no dot.")
    }
  }

  /// Throws where a view could not be asked for.
  static func check(views names: [String]) throws(HostFailure) {
    var seen: Set<String> = []
    for name in names {
      guard Topic.isViewName(name) else {
        throw HostFailure(
          "\"\(name)\" cannot be the name of a view", advice: "Let it have \(form).")
      }
      guard seen.insert(name).inserted else {
        throw HostFailure(
          "two views are named \(name), and only one could be had",
          advice: "Give each in 'views' a name of its own.")
      }
    }
  }
}
