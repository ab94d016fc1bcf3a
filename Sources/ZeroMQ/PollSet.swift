internal import CZeroMQ
internal import Glibc

/// What a loop watches, and which of it is ready. Used on the loop's thread only.
///
/// libzmq's own `zmq_poll` asks every socket twice a call and the kernel twice as well; here a
/// socket is asked only if its descriptor fired or it was used since it was last asked.
final class PollSet {
  final class Watch {
    let number: UInt64
    /// Nil for a plain descriptor.
    let core: SocketCore?
    let descriptor: Int32
    let interest: Socket.Events
    let ready: () -> Void
    var isRemoved = false

    init(
      number: UInt64, core: SocketCore?, descriptor: Int32, interest: Socket.Events,
      ready: @escaping () -> Void
    ) {
      self.number = number
      self.core = core
      self.descriptor = descriptor
      self.interest = interest
      self.ready = ready
    }

    var isGone: Bool { isRemoved || core?.isClosed == true }

    /// Asks the socket; remembers that it must be asked again unless it has nothing.
    func askSocket(_ core: SocketCore) -> Bool {
      core.wasTouched = false
      guard core.events().isDisjoint(with: interest) else {
        core.wasTouched = true
        return true
      }
      return false
    }
  }

  private var watches: [Watch] = []
  /// The wake-up's, then one for each watch.
  private var descriptors: [pollfd]
  private var isStale = false
  private var last: UInt64 = 0
  /// What was found ready this turn.
  private var found: [Watch] = []

  init(wakeUp: Int32) {
    descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
  }

  func add(_ socket: borrowing Socket, _ interest: Socket.Events, _ ready: @escaping () -> Void)
    -> UInt64
  {
    let core = socket.core
    precondition(
      !watches.contains { $0.core === core }, "a \(core.kind) socket is watched twice by its loop")
    core.wasTouched = true
    core.isWatchedForWriting = interest.contains(.writable)
    // Without a descriptor the context was shut down: poll ignores -1, and nothing ever comes.
    let descriptor = (try? core.descriptor()) ?? -1
    return add(core, descriptor, interest, ready)
  }

  func add(descriptor: Int32, _ interest: Socket.Events, _ ready: @escaping () -> Void) -> UInt64 {
    add(nil, descriptor, interest, ready)
  }

  private func add(
    _ core: SocketCore?, _ descriptor: Int32, _ interest: Socket.Events,
    _ ready: @escaping () -> Void
  ) -> UInt64 {
    last += 1
    watches.append(
      Watch(
        number: last, core: core, descriptor: descriptor, interest: interest, ready: ready))
    isStale = true
    return last
  }

  /// Takes effect at once, also for what was already found ready this turn.
  func remove(_ number: UInt64) {
    guard let index = watches.firstIndex(where: { $0.number == number }) else { return }
    watches[index].isRemoved = true
    watches[index].core?.isWatchedForWriting = false
    watches.remove(at: index)
    isStale = true
  }

  func removeAll() {
    for watch in watches { watch.isRemoved = true }
    watches = []
    found = []
    isStale = true
  }

  /// Asks the sockets that were used since they were last asked. True if one is ready: the loop
  /// must not wait then, since no descriptor would tell.
  ///
  /// A publisher that has published takes in its subscribers' credit with it, which libzmq else does
  /// at most once a millisecond.
  func askTouched() -> Bool {
    for watch in watches {
      guard let core = watch.core else { continue }
      if core.isClosed {
        watch.isRemoved = true
        isStale = true
      } else if core.wasTouched, watch.askSocket(core) {
        found.append(watch)
      }
    }
    if isStale { rebuild() }
    return !found.isEmpty
  }

  private func rebuild() {
    isStale = false
    watches.removeAll { $0.isGone }
    descriptors.removeSubrange(1...)
    for watch in watches {
      // A socket's descriptor is read only, whatever is waited for: it signals any change.
      let isWriting = watch.core == nil && watch.interest.contains(.writable)
      let isReading = watch.core != nil || watch.interest.contains(.readable)
      let events = (isReading ? POLLIN : 0) | (isWriting ? POLLOUT : 0)
      descriptors.append(pollfd(fd: watch.descriptor, events: Int16(events), revents: 0))
    }
  }

  /// Waits for the loop's own descriptor alone, before there is anything to watch for.
  func waitForWakeUp() -> Bool {
    var wakeUp = descriptors[0]
    return poll(&wakeUp, 1, -1) > 0
  }

  /// What ended a wait.
  enum Arrival {
    /// The time was over, or a signal came.
    case nothing
    /// What is watched, and not the loop's own descriptor.
    case watched
    /// The loop's own descriptor, and perhaps others.
    case wakeUp
  }

  /// Waits for a descriptor (nil: for ever).
  func wait(nanoseconds: Int64?) -> Arrival {
    let count = descriptors.withUnsafeMutableBufferPointer { buffer in
      czmq_wait(buffer.baseAddress, nfds_t(buffer.count), nanoseconds ?? -1)
    }
    guard count > 0 else { return .nothing }
    for (index, watch) in watches.enumerated() where descriptors[index + 1].revents != 0 {
      if let core = watch.core {
        // Those found before the wait are in the list already; asking again would double them.
        if !core.wasTouched, watch.askSocket(core) { found.append(watch) }
      } else {
        // An error or a hang-up counts as ready: reading tells which.
        found.append(watch)
      }
    }
    return descriptors[0].revents != 0 ? .wakeUp : .watched
  }

  /// Whether nothing that is watched has anything to tell at this moment.
  var isQuiet: Bool {
    descriptors.withUnsafeMutableBufferPointer { buffer in
      let watched = UnsafeMutableBufferPointer(rebasing: buffer.dropFirst())
      return czmq_wait(watched.baseAddress, nfds_t(watched.count), 0) == 0
    }
  }

  /// Calls what was found ready; false if there was nothing. One that an earlier call removed or
  /// closed is left out.
  func callReady() -> Bool {
    guard !found.isEmpty else { return false }
    let ready = found
    found.removeAll(keepingCapacity: true)
    for watch in ready where !watch.isGone { watch.ready() }
    return true
  }
}
