/// Tells the log that connections are turned away, and why: at most once a minute, since whoever is
/// turned away tries again at once.
struct CrowdNotice {
  /// Connections that were turned away so far, of both sockets.
  struct Count: Equatable {
    /// Because there were too many.
    var thrownOut = 0
    /// By the filter of users.
    var refused = 0
    /// For want of a descriptor.
    var withoutDescriptor = 0
    /// For subscribing without end.
    var subscribing = 0
  }

  private var told = Count()
  private var quietUntil: Int64 = 0
  private static let pause: Int64 = 60_000_000_000

  /// A line, where there is something new to tell.
  ///
  /// - Parameters:
  ///   - limit: the connections that a socket may have.
  ///   - now: nanoseconds of the monotonic clock.
  mutating func line(_ count: Count, limit: Int, now: Int64) -> String? {
    guard count != told, now >= quietUntil else { return nil }
    var parts: [String] = []
    if count.thrownOut > told.thrownOut {
      parts.append(
        "\((count.thrownOut - told.thrownOut).counted("connection")) above \(limit), which is the "
          + "limit of a socket. Try: find out which program opens so many, or raise the limit of open "
          + "files (`ulimit -Hn`, LimitNOFILE=)")
    }
    if count.refused > told.refused {
      parts.append(
        "\((count.refused - told.refused).counted("connection")) of users who are not allowed. Try: "
          + "allow them with --allowed-uids")
    }
    if count.withoutDescriptor > told.withoutDescriptor {
      parts.append(
        "\((count.withoutDescriptor - told.withoutDescriptor).counted("connection")) for which no "
          + "descriptor was left. Try: raise the limit of open files (`ulimit -Hn`, LimitNOFILE=)")
    }
    if count.subscribing > told.subscribing {
      parts.append(
        "\((count.subscribing - told.subscribing).counted("connection")) that had made "
          + "\(DaemonSockets.subscriptionsOfConnection) subscriptions. Try: find out which program "
          + "subscribes without end")
    }
    told = count
    quietUntil = now + Self.pause
    return "turned away: " + parts.joined(separator: "; ") + "."
  }
}
