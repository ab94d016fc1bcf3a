import Composable
import StatecastTesting
import Testing

@Suite("Rules 10 to 12: effects as they run", .timeLimit(.minutes(5)))
struct EffectRunnerTests {
  struct Failure: Error {}

  /// A runner whose effects are made by hand, with what they deliver.
  struct Bench: Sendable {
    let inbox: Inbox<String>
    let runner: EffectRunner<String>
    let clock = TestClock()

    init() {
      let inbox = Inbox<String>()
      self.inbox = inbox
      runner = EffectRunner { action, cause in inbox.put(action, cause) }
    }

    /// An effect that sleeps for a second.
    @Sendable func sleep(_ send: Send<String>) async throws {
      try await clock.sleep(for: .seconds(1))
    }

    @discardableResult
    func start(_ effect: Effect<String>, cause: UInt64 = 1) -> EffectFamily<String>? {
      var core = ReducerCore(Reduce<Int, String> { _, _ in effect })
      var state = 0
      return runner.start(core.perform("", on: &state).operations, cause: cause)
    }
  }

  @Test("Rule 10: an effect's actions are delivered with the commit that started it")
  func delivers() async throws {
    let bench = Bench()
    let family = try #require(
      bench.start(
        .run { send in
          await send("one")
          await send("two")
        }, cause: 7))
    await family.finish()
    let first = try #require(await bench.inbox.nextWithCause())
    #expect(first.action == "one")
    #expect(first.cause == 7)
    #expect(await bench.inbox.next() == "two")
    #expect(bench.runner.isIdle)
    #expect(bench.runner.registrySize == 0)
  }

  @Test("Rule 10: a sequence starts each step after the end of the one before")
  func concatenate() async throws {
    let bench = Bench()
    let gate = Gate()
    let family = try #require(
      bench.start(
        .concatenate(
          .run { send in
            await send("a begins")
            try await gate.pass()
            await send("a ends")
          },
          .send("b"),
          .merge(.run { await $0("c") }, .concatenate(.run { await $0("d") }, .send("e"))))
      ))
    #expect(await bench.inbox.next() == "a begins")
    gate.open()
    await family.finish()
    let rest = await bench.inbox.rest()
    #expect(rest.prefix(2) == ["a ends", "b"])
    #expect(Set(rest.dropFirst(2)) == ["c", "d", "e"])
    #expect(rest.firstIndex(of: "d") ?? 9 < rest.firstIndex(of: "e") ?? 0)
    #expect(bench.runner.registrySize == 0)
  }

  @Test("Rule 10: several effects share an id, and end together; ids are told apart by type")
  func cancelByID() async throws {
    let bench = Bench()
    let gate = Gate()
    let log = Log<String>()
    func waiting(_ name: String) -> Effect<String> {
      .run { _ in
        do { try await gate.pass() } catch {
          log.add(name)
          throw error
        }
      } catch: { _, _ in
        log.add("caught")
      }
    }
    let ended = try #require(
      bench.start(
        .merge(
          waiting("int").cancellable(id: 1), waiting("also int").cancellable(id: 1)), cause: 1))
    let other = try #require(bench.start(waiting("byte").cancellable(id: 1 as UInt8), cause: 2))
    #expect(bench.runner.runningCount == 3)
    bench.start(.cancel(id: 1), cause: 3)
    await ended.finish()
    #expect(Set(log.all).isSubset(of: ["int", "also int"]))
    #expect(bench.runner.runningCount == 1)
    other.cancel()
    await other.finish()
    #expect(bench.runner.registrySize == 0)
    #expect(!log.all.contains("caught"), "a CancellationError is swallowed")
  }

  @Test("Rule 10: a sequence that is cancelled does not go on to its next step")
  func cancelledSequence() async throws {
    let bench = Bench()
    let family = try #require(
      bench.start(
        Effect.concatenate(
          .run(operation: bench.sleep),
          .send("never")
        ).cancellable(id: "all")))
    await bench.clock.waitForSleepers(1)
    bench.start(.cancel(id: "all"), cause: 2)
    await family.finish()
    #expect(await bench.inbox.rest() == [])
    #expect(bench.runner.registrySize == 0)
  }

  @Test("Rule 11: an error goes to the catch, or is reported")
  func errors() async throws {
    let bench = Bench()
    let log = Log<String>()
    let family = bench.start(
      .run { _ in
        throw Failure()
      } catch: { error, send in
        await send("caught \(error)")
      })
    await family?.finish()
    #expect(await bench.inbox.next() == "caught Failure()")
    await withDependencies {
      $0.issueReporter = IssueReporter { log.add($0.description) }
    } operation: {
      await bench.start(
        .run { _ in
          throw Failure()
        }
      )?.finish()
    }
    let place = "ComposableTests/EffectRunnerTests.swift"
    try #require(log.all.count == 1)
    #expect(log.all[0].hasPrefix(place))
    #expect(
      log.all[0].hasSuffix(
        """
        An effect threw an error that nobody handles: Failure(). Give 'Effect.run' a 'catch', or \
        handle the error in it.
        """))
  }

  @Test("Rule 11: sends after cancellation are ignored, sends after the end are reported")
  func lateSends() async throws {
    let bench = Bench()
    let log = Log<String>()
    let kept = Log<Send<String>>()
    try await withDependencies {
      $0.issueReporter = IssueReporter { log.add($0.message) }
    } operation: {
      let first = bench.start(.run { send in kept.add(send) })
      await first?.finish()
      await kept.all[0]("late")
      #expect(
        log.all == [
          """
          An action (String) was sent by an effect that has ended; it was ignored. Send before \
          the closure of 'Effect.run' returns, or wait in it for whoever sends.
          """
        ])
      let second = try #require(
        bench.start(
          .run { send in
            kept.add(send)
            try await bench.clock.sleep(for: .seconds(1))
          }, cause: 2))
      await bench.clock.waitForSleepers(1)
      second.cancel()
      await kept.all[1]("after cancellation")
      await second.finish()
      await kept.all[1]("after cancellation and end")
      #expect(log.all.count == 1)
    }
    #expect(await bench.inbox.rest() == [])
  }

  @Test("Rule 12: a debounce waits anew for each, and runs only the last one's work")
  func debounce() async throws {
    let bench = Bench()
    func typed(_ text: String, _ cause: UInt64) async {
      bench.start(
        .run { await $0(text) }.debounce(id: "typing", for: .seconds(1), clock: bench.clock),
        cause: cause)
      await bench.clock.waitForSleepers(1)
    }
    await typed("a", 1)
    await bench.clock.advance(by: .milliseconds(900))
    await typed("ab", 2)
    await bench.clock.advance(by: .milliseconds(900))
    await typed("abc", 3)
    await bench.clock.advance(by: .milliseconds(999))
    await bench.clock.waitForSleepers(1)
    await bench.clock.advance(by: .milliseconds(1))
    #expect(await bench.inbox.next() == "abc")
    await bench.runner.idle()
    #expect(await bench.inbox.rest() == [])
    #expect(bench.runner.registrySize == 0)
  }

  @Test(
    "Rule 12: a throttle lets the first through, then at the window's end the latest or the first",
    arguments: [(true, ["1", "3", "4"]), (false, ["1", "2", "4"])])
  func throttle(latest: Bool, expected: [String]) async throws {
    let bench = Bench()
    func send(_ text: String, _ cause: UInt64) {
      bench.start(
        .send(text).throttle(id: 0, for: .seconds(1), clock: bench.clock, latest: latest),
        cause: cause)
    }
    send("1", 1)
    #expect(await bench.inbox.next() == "1")
    await bench.clock.waitForSleepers(1)
    await bench.clock.advance(by: .milliseconds(500))
    send("2", 2)
    send("3", 3)
    await bench.clock.advance(by: .milliseconds(500))
    #expect(await bench.inbox.next() == expected[1])
    await bench.clock.waitForSleepers(1)
    await bench.clock.advance(by: .milliseconds(500))
    send("4", 4)
    #expect(!bench.runner.isIdle, "letting one through has started a window")
    await bench.clock.advance(by: .milliseconds(500))
    #expect(await bench.inbox.next() == "4")
    await bench.clock.waitForSleepers(1)
    await bench.clock.advance(by: .seconds(1))
    await bench.runner.idle()
    #expect(await bench.inbox.rest() == [])
  }

  @Test("Rule 12: cancelling a throttle drops what it holds")
  func cancelledThrottle() async throws {
    let bench = Bench()
    func send(_ text: String, _ cause: UInt64) -> EffectFamily<String>? {
      bench.start(
        .send(text).throttle(id: 0, for: .seconds(1), clock: bench.clock, latest: true),
        cause: cause)
    }
    await send("1", 1)?.finish()
    let held = try #require(send("2", 2))
    bench.start(.cancel(id: 0), cause: 3)
    await held.finish()
    #expect(bench.runner.registrySize == 0)
    #expect(await bench.inbox.rest() == ["1"])
  }

  @Test("Rule 11: everything ends with the store")
  func cancelAll() async throws {
    let bench = Bench()
    let family = try #require(
      bench.start(.run(operation: bench.sleep)))
    await bench.clock.waitForSleepers(1)
    bench.runner.cancelAll()
    await family.finish()
    #expect(bench.runner.registrySize == 0)
  }

  @Test("Rule 6: a family ends only when the actions it sent are handled and what they started")
  func family() async throws {
    let inbox = Inbox<String>()
    let runner = EffectRunner<String>(isFollowing: true) { inbox.put($0, $1) }
    let log = Log<String>()
    var core = ReducerCore(
      Reduce<Int, String> { _, action in
        switch action {
        case "go": .run { await $0("more") }
        case "more": .run { _ in log.add("worked") }
        default: .none
        }
      })
    var state = 0
    let family = try #require(
      runner.start(core.perform("go", on: &state).operations, cause: 1))
    let more = try #require(await inbox.nextWithCause())
    #expect(!runner.isIdle)
    runner.start(core.perform(more.action, on: &state).operations, cause: 2, sentBy: more.cause)
    await family.finish()
    #expect(log.all == ["worked"])
    #expect(runner.registrySize == 0)
  }
}
