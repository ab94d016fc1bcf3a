internal import ZeroMQ

/// The three sockets of a client: two that ask, so that a large pull never delays an action, and
/// one that listens.
final class ClientSockets {
  var actions: Socket
  var data: Socket
  var updates: Socket

  init(_ endpoints: DaemonEndpoints, in context: Context) throws(ZeroMQError) {
    // A DEALER's queue would keep requests for a daemon that is away, and hand it all of them when
    // it is back: the machine asks again itself, so only a little is ever queued. No heartbeats: they
    // are unsafe where input may be stopped (`SocketOptions.heartbeatInterval`), at either end.
    let asking = SocketOptions.with {
      $0.reconnectInterval = .milliseconds(20)
      $0.reconnectIntervalMaximum = .milliseconds(500)
      $0.keepAlive = SocketOptions.KeepAlive()
    }
    actions = try Socket(.dealer, in: context, options: asking)
    data = try Socket(.dealer, in: context, options: asking)
    updates = try Socket(
      .subscribe, in: context,
      options: .with {
        // Subscriptions are messages: above the default mark of 1,000 they would vanish silently.
        $0.sendHighWater = 0
        $0.receiveHighWater = 0
        $0.reconnectInterval = .milliseconds(20)
        $0.reconnectIntervalMaximum = .milliseconds(500)
        $0.heartbeatInterval = .seconds(10)
        $0.heartbeatTimeout = .seconds(30)
      })
    try actions.connect(endpoints.requests)
    try data.connect(endpoints.requests)
    try updates.connect(endpoints.publications)
  }
}
