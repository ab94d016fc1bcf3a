import Composable
import Glibc
import Showcase
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

extension Spawned {
  @Suite("Handles across processes (rule 22)")
  struct HandleTests {
    /// The handles in the view `refresh`.
    static func handles(_ value: Value) -> [Handle] {
      guard let handles = value["handles"]?.elements else { return [] }
      return handles.compactMap { try? Handle(encoded: $0.encoded()) }
    }

    @Test("A refresh offered by one process is called from another, and is gone after kill -9")
    func offerCallKill() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let owner = try ChildProcess(
        Workshop.tool,
        [
          "offer", "refresh", "--exec", "tr a-z A-Z", "--name", "list", "--folder", folder.path,
          "--timeout", Workshop.patience,
        ], name: "owner", in: folder)
      let client = try await daemon.connect()
      let mirror = await MirrorProbe.of("refresh", on: client)
      let present = await MirrorProbe.of("presence", on: client)
      try await mirror.wait { Self.handles($0.value).count == 1 }
      let handle = try #require(Self.handles(await mirror.value).first)
      let result = try await handle.call("again", returning: String.self, on: client)
      #expect(result == "AGAIN")
      let run = try await Workshop.run("call", "refresh", #""soon""#, in: folder)
      #expect(run.output == "\"SOON\"\n")
      #expect(run.ending == .exited(0))
      #expect(await present.value["clients"]?[0]?["name"]?.string == "list")

      await owner.kill()
      // It goes away by an action, and who still has it is told.
      try await mirror.wait { Self.handles($0.value) == [] }
      try await present.wait { $0.value["clients"]?.elements?.count == 0 }
      await #expect(throws: CallFailure.self) {
        try await handle.call("again", returning: String.self, on: client)
      }
      do {
        _ = try await handle.call("again", returning: String.self, on: client)
      } catch {
        #expect(error.reason == .gone)
        #expect(error.message == "refresh of client \(handle.owner) is not offered any more")
      }
      let late = try await Workshop.run("call", "refresh", in: folder)
      #expect(late.ending == .exited(10))
      #expect(late.errors.hasPrefix("Error: no handle refresh is offered\nTry: "))
      await client.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("A call that is under way when its owner is killed ends as gone, not in silence")
    func killedAtWork() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let owner = try ChildProcess(
        Workshop.tool,
        ["offer", "refresh", "--exec", "sleep 60", "--folder", folder.path], name: "owner",
        in: folder)
      let client = try await daemon.connect()
      let mirror = await MirrorProbe.of("refresh", on: client)
      try await mirror.wait { Self.handles($0.value).count == 1 }
      let handle = try #require(Self.handles(await mirror.value).first)
      async let call = client.call(handle, argument: [0xF6], deadline: .seconds(100))
      // The daemon has the call once it counts it.
      while try await client.ask(.stats).figure("calls-open") == 0 { await Task.yield() }
      await owner.kill()
      let end = await call
      #expect(end.code == .gone)
      await client.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Two clients call each other at the same time, and from within a call")
    func eachOther() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let one = try await daemon.connect(isPresent: true)
      let two = try await daemon.connect(isPresent: true)
      let mirror = await MirrorProbe.of("refresh", on: one)
      try await two.offer("double") { (number: Int) in number * 2 }
      try await mirror.wait { Self.handles($0.value).count == 1 }
      let double = try #require(Self.handles(await mirror.value).first)
      // Asking `plus` asks the other one back, before it answers.
      try await one.offer("plus") { (number: Int) in
        try await double.call(number, returning: Int.self, on: one) + 1
      }
      try await mirror.wait { Self.handles($0.value).count == 2 }
      let plus = try #require(Self.handles(await mirror.value).last)
      let results = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<20 {
          group.addTask { try await plus.call(number, returning: Int.self, on: two) }
          group.addTask { try await double.call(number, returning: Int.self, on: one) }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      // Twice each number, and one more than that.
      #expect(results.sorted() == Array(0..<40))
      await one.close()
      await two.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Deadline, failure and wrong argument are told apart")
    func failures() async throws {
      struct Full: Error, CustomStringConvertible { var description = "the list is full" }
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let owner = try await daemon.connect()
      let client = try await daemon.connect()
      let mirror = await MirrorProbe.of("refresh", on: client)
      try await owner.offer("fail") { (_: Int) -> Int in throw Full() }
      let offer = try await owner.offer("stall") { (_: Int) -> Int in
        try await Task.sleep(for: .seconds(600))
        return 1
      }
      try await mirror.wait { Self.handles($0.value).count == 2 }
      let handles = Self.handles(await mirror.value)
      let expected: [(Int, CallFailure.Reason)] = [(0, .failed), (1, .overdue)]
      for (index, reason) in expected {
        do {
          _ = try await client.call(
            handles[index], 1, returning: Int.self, deadline: .milliseconds(500))
          Issue.record("it gave something back")
        } catch {
          #expect(error.reason == reason)
          if reason == .failed { #expect(error.message == "the list is full") }
        }
      }
      do {
        _ = try await client.call(handles[0], "one", returning: Int.self)
        Issue.record("it gave something back")
      } catch {
        #expect(error.code == .invalid)
      }
      await offer.withdraw()
      try await mirror.wait { Self.handles($0.value).count == 1 }
      await owner.close()
      await client.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("What is too large to call with, or to give back, is told at once, and the link stands")
    func tooLarge() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let owner = try await daemon.connect()
      let client = try await daemon.connect()
      let mirror = await MirrorProbe.of("refresh", on: client)
      try await owner.offer("repeat") { (text: String) -> String in
        String(repeating: text, count: 3_000_000)
      }
      try await mirror.wait { Self.handles($0.value).count == 1 }
      let handle = try #require(Self.handles(await mirror.value).first)
      do {
        _ = try await handle.call(
          "x", returning: String.self, on: client, deadline: .seconds(600))
        Issue.record("it gave something back")
      } catch {
        #expect(error.reason == .failed)
        #expect(
          error.message
            == "it was done, and what it gave back takes 3000005 bytes; the daemon takes requests of "
            + "1048576")
      }
      do {
        let long = String(repeating: "x", count: 20_000_000)
        _ = try await handle.call(
          long, returning: String.self, on: client, deadline: .seconds(600))
        Issue.record("it was called")
      } catch {
        #expect(error.code == .tooLarge)
        #expect(
          error.message
            == "The argument takes 20000005 bytes; the daemon takes requests of 1048576.")
      }
      #expect(await mirror.staleReasons.isEmpty)
      #expect(try await handle.call("", returning: String.self, on: client) == "")
      await owner.close()
      await client.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("After a restart of the daemon handles are offered anew; the old ones are gone")
    func restart() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let owner = try await daemon.connect()
      let client = try await daemon.connect()
      let mirror = await MirrorProbe.of("refresh", on: client)
      try await owner.offer("refresh") {}
      try await mirror.wait { Self.handles($0.value).count == 1 }
      let old = try #require(Self.handles(await mirror.value).first)
      await daemon.process.kill()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      try await mirror.wait { $0.isFresh && Self.handles($0.value).first.map { $0 != old } == true }
      let new = try #require(Self.handles(await mirror.value).first)
      #expect(Self.handles(await mirror.value).count == 1)
      try await client.call(new)
      do {
        try await client.call(old)
        Issue.record("the old handle was called")
      } catch {
        #expect(error.reason == .gone)
      }
      await owner.close()
      await client.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }

  @Suite("Tasks across processes (rule 6)")
  @MainActor struct RemoteTaskTests {
    private static func counter(
      _ connection: DaemonConnection
    ) async throws -> RemoteStore<Counter.ViewState, ShowcaseApp.Action> {
      try await connection.store(
        "counter", of: Counter.ViewState.self, action: ShowcaseApp.Action.self)
    }

    @Test("Rule 6: finish waits for the effects in the daemon, and for what they send")
    func finish() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let connection = try await daemon.connect()
      let store = try await Self.counter(connection)
      try await store.send(.counter(.isPrimeButtonTapped)).value
      // The answer is the effect's own action, a commit after the question's.
      #expect(store.state.answer != nil)
      #expect(store.state.question == nil)
      // Nothing to wait for: at once.
      try await store.send(.counter(.incrementButtonTapped)).value
      #expect(store.state.count == 1)
      await connection.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Rule 6: cancel ends the effects in the daemon")
    func cancel() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let connection = try await daemon.connect()
      let store = try await Self.counter(connection)
      try await Self.askLong(store)
      let task = store.send(.counter(.nthPrimeButtonTapped))
      await task.shownForTest()
      #expect(store.state.question != nil)
      await task.cancel()
      #expect(task.isCancelled)
      #expect(store.state.answer == nil)
      await connection.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Rule 6: send while suspends until the mirror shows that the predicate is false")
    func sendWhile() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let connection = try await daemon.connect()
      let store = try await Self.counter(connection)
      let view = ViewStore(store, observe: { $0 })
      // Before the commit is shown nothing is asked: the wait must not end then.
      #expect(view.question == nil)
      await view.send(.counter(.isPrimeButtonTapped), while: { $0.question != nil })
      #expect(view.answer != nil)
      // Whoever waits is cancelled: the work in the daemon ends with it.
      try await Self.askLong(store)
      let before = view.answer
      let waiting = Task {
        await view.send(.counter(.nthPrimeButtonTapped), while: { $0.question != nil })
      }
      for await state in store.values where state.question != nil { break }
      waiting.cancel()
      await waiting.value
      #expect(view.answer == before)
      await connection.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Rule 6: an effect that is awaited across kill -9 of the daemon ends in an error")
    func killed() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let connection = try await daemon.connect()
      let store = try await Self.counter(connection)
      try await Self.askLong(store)
      let task = store.send(.counter(.nthPrimeButtonTapped))
      await task.shownForTest()
      daemon.process.signal(SIGSTOP)
      async let waiting: Void = task.value
      await daemon.process.kill()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      do {
        try await waiting
        Issue.record("it ended as if all were well")
      } catch let failure as TaskFailure {
        #expect(failure.code == .gone)
        #expect(failure.message == "the daemon was restarted")
      }
      await connection.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    @Test("Rule 6: nor does it hang when the daemon never comes back")
    func neverBack() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let connection = try await daemon.connect()
      let store = try await Self.counter(connection)
      try await Self.askLong(store)
      let task = store.send(.counter(.nthPrimeButtonTapped))
      await task.shownForTest()
      daemon.process.signal(SIGSTOP)
      async let waiting: Void = task.value
      await daemon.process.kill()
      do {
        try await waiting
        Issue.record("it ended as if all were well")
      } catch let failure as TaskFailure {
        #expect(failure.code == .gone)
      }
      await connection.close()
    }

    /// Counts so far that what is asked next takes a while.
    private static func askLong(
      _ store: RemoteStore<Counter.ViewState, ShowcaseApp.Action>
    ) async throws {
      _ = try await store.connection.perform(
        Entry(.set(field: "counter.step", value: 1_000.encoded())))
      for _ in 0..<100 { store.send(.counter(.incrementButtonTapped)) }
      _ = try await store.perform(.counter(.alertDismissed), until: .mirrored)
      #expect(store.state.count == 100_000)
    }
  }
}

extension Reply {
  /// One of the figures of `stats`.
  fileprivate func figure(_ name: String) -> Int? {
    if case .value(let value) = body { value[name]?.integer } else { nil }
  }
}

extension StoreTask {
  /// Waits until this process sees what the action itself did.
  fileprivate func shownForTest() async { await shown() }
}
