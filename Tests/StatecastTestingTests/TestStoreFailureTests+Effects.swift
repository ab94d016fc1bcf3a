import Composable
import TestSupport
import Testing

@testable import StatecastTesting

/// What it says of actions that effects send or do not send, and of effects that do not end.
extension TestStoreFailureTests {
  @Test("Rule 23: an action sent before those received were asserted")
  func unreceivedBefore() async {
    let said = await said { store in
      await store.send(.cleared)
      await store.send(.saved)
    }
    #expect(
      said == [
        """
        .saved was sent while 2 actions from effects had not been asserted:

          .emptied
          .forgotten

        Assert them before, with 'await store.receive(…)', or leave them out with \
        'await store.skipReceivedActions()'.
        """
      ])
  }

  @Test("Rule 23: the end of a test with an action that was not asserted")
  func unreceived() async {
    let said = await said { store in
      await store.send(.cleared)
      await store.receive(.emptied)
    }
    let text = """
      The test ended while 1 action from effects had not been asserted:

        .forgotten

      Assert it with 'await store.receive(…)', or leave it out with \
      'await store.skipReceivedActions()'.
      """
    #expect(said == [text])
    let finished = await self.said { store in
      await store.send(.cleared)
      await store.receive(.emptied)
      await store.finish()
    }
    #expect(finished == [text], "said once")
  }

  @Test("Rule 23: the end of a test with an effect under way")
  func underWay() async {
    let said = await said { store in
      await store.send(.started)
      await clock.advance(by: .milliseconds(100))
    }
    #expect(
      said == [
        """
        The test ended while effects were under way, of:

          .started

        Let them end (advance the clock that they wait for, answer what they ask), cancel them by an \
        action, or leave them out with 'await store.skipInFlightEffects()'.
        """
      ])
  }

  @Test("Rule 23: effects that do not end in time, of the store and of one action")
  func late() async {
    func text(_ time: String) -> String {
      """
      After \(time) effects are still under way, of:

        .started

      If they wait for a clock, advance it ('await clock.advance(by: …)'); if they need longer, say \
      so ('finish(timeout: …)').
      """
    }
    #expect(
      await said { store in
        await store.send(.started)
        await store.finish()
      } == [text("0.001 seconds")])
    #expect(
      await said { store in
        let timer = await store.send(.started)
        await timer.finish(timeout: .milliseconds(2))
        await store.send(.stopped)
      } == [text("0.002 seconds")])
  }

  @Test("Rule 23: the time limit is measured on a clock that a test can give")
  func limitClock() async {
    let limit = TestClock()
    let failures = await Failures.of {
      let store = makeStore()
      store.timeoutClock = limit
      store.timeout = .seconds(3_600)
      await store.send(.started)
      let moving = Task {
        await limit.waitForSleepers()
        await limit.advance(by: .seconds(3_600))
      }
      await store.receive(.ticked)
      await moving.value
      await store.send(.stopped)
    }
    #expect(
      failures.messages == [
        """
        .ticked was not received within 3600.0 seconds. Under way are effects of:

          .started

        If one waits for a clock, advance it ('await clock.advance(by: …)'); if it needs longer, say \
        so ('receive(…, timeout: …)').
        """
      ])
  }

  @Test("Rule 23: an action that nobody will send is not waited for")
  func noAction() async {
    let failures = await Failures.of {
      let store = makeStore()
      store.timeout = .seconds(3_600)
      await store.send(.saved)
      await store.receive(.ticked)
    }
    #expect(
      failures.messages == [
        """
        .ticked was not received, and no effect is under way that could send it. Mend the effect \
        that should, or leave the 'receive' out.
        """
      ])
  }

  @Test("Rule 23: another action than the expected one")
  func otherAction() async {
    let said = await said { store in
      await store.send(.queryChanged("a")) {
        $0.query = "a"
        $0.isSearching = true
      }
      await clock.run()
      await store.receive(.responded(["b"]))
    }
    #expect(
      said == [
        """
        Another action was received than .responded(["b"]):

          .responded(
            [
        -     "b"
        +     "a"
            ]
          )

        (- expected, + received)

        Assert the actions in the order in which effects send them, or mend the effect.
        """
      ])
    let byCase = await self.said { store in
      await store.send(.cleared)
      await store.receive(\.responded)
      await store.receive(.forgotten)
    }
    #expect(
      byCase == [
        """
        Another action was received than an action of the case that carries 'Array<String>':

          .emptied

        Assert the actions in the order in which effects send them, or mend the effect.
        """
      ])
  }
}
