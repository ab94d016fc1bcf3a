import StatecastClient
import SyncProtocol
import ZeroMQ

/// Acts as a client without a library may: a bare DEALER, one action a request, the next one sent
/// before the last is answered.
///
/// Used on its loop's thread only, as what it calls is.
final class DealerClient: @unchecked Sendable {
  private var socket: Socket
  private let session: SessionID
  private var requests: UInt64 = 0
  private var numbered: ActionNumber = 0
  private var acked: ActionNumber = 0
  private var base = CommitNumber.zero
  private var epoch: Epoch?
  private var answer: Message?

  init(_ endpoints: DaemonEndpoints, session: SessionID, in context: Context) throws {
    self.session = session
    socket = try Socket(.dealer, in: context)
    try socket.connect(endpoints.requests)
  }

  /// Opens the session; then tells how many actions each reply has done.
  func open(
    on loop: EventLoop, opened: @escaping @Sendable () -> Void,
    answered: @escaping @Sendable (Int) -> Void
  ) {
    loop.perform { [self] in
      _ = loop.watch(socket) { [self] in read(opened, answered) }
      send(.hello(Hello()))
    }
  }

  func send(_ entry: Entry) {
    numbered += 1
    send(
      .act(
        Act(base: base, acked: acked, entries: [Act.Numbered(number: numbered, entry: entry)])))
  }

  private func send(_ body: Request.Body) {
    requests += 1
    let frames = RequestCodec.encode(
      Request(id: requests, session: session, epoch: epoch, body: body))
    _ = try? socket.send(to: [[]], frames[0], frames[1])
  }

  private func read(_ opened: () -> Void, _ answered: (Int) -> Void) {
    while (try? socket.receive(reusing: &answer)) == true, let message = answer {
      guard let reply = try? ReplyCodec.decode(message.frames.dropFirst()) else { continue }
      switch reply.body {
      case .hello(let answer):
        base = answer.base
        epoch = reply.header.epoch
        opened()
      case .act(let answer):
        // One that is refused is never answered: the driver says that it waits in vain.
        let done = answer.outcomes.count { $0.code == .ok }
        acked += UInt64(done)
        answered(done)
      default: break
      }
    }
  }
}
