"""This client and a running daemon: joining, following, acting, and everything that goes wrong."""

import shutil
import unittest

from daemon import DaemonTestCase
from statecast_client import wire
from statecast_client.cbor import decode, encode
from statecast_client.client import Client, NoAnswer, Refused
from statecast_client.digest import digest

INCREMENT = {"counter": "incrementButtonTapped"}
DECREMENT = {"counter": "decrementButtonTapped"}


def load(name, document):
    return {"workspace": {"load": {"name": name, "document": document}}}


def put(path, value):
    return {"workspace": {"set": {"path": path, "value": value}}}


def edit(path, **change):
    return {"workspace": {"edit": {"path": path, **change}}}


def large(name):
    """Loads a document of some 600 kB: over `publication`, below `request`; two exceed `answer`."""
    return load(name, {"lines": [name * 3_000] * 200})


class LossyClient(Client):
    """Drops publications of views while it is told to."""

    lossy = False
    dropped = 0

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.answers = []

    def take_answer(self, item, reply, deadline):
        self.answers.append(wire.Answer.read(item).kind)
        super().take_answer(item, reply, deadline)

    def publication(self, publication):
        if self.lossy and not publication.flags & wire.BEAT:
            self.dropped += 1
        else:
            super().publication(publication)


class SlowClient(Client):
    """Comes too late for the first value that it should fetch."""

    late = True

    def fetch(self, answer_id, size, deadline):
        if self.late:
            self.late = False
            answer_id += 1000
        return super().fetch(answer_id, size, deadline)


class LiveTestCase(DaemonTestCase):
    def client(self, daemon, kind=Client, **options):
        client = kind(daemon.folder, **options)
        self.addCleanup(client.close)
        return client

    def reaches(self, client, mirror, outcome):
        """The mirror comes to an action's commit, exact."""
        self.assertEqual(outcome.code, "ok", outcome)
        client.run(lambda: not mirror.stale and mirror.number >= outcome.commit)
        self.is_exact(mirror)

    def is_exact(self, mirror):
        """What is held has the digest, worked out anew from its encoding."""
        self.assertIsNone(mirror.stale)
        self.assertEqual(digest(decode(encode(mirror.value))), mirror.digest)


class Following(LiveTestCase):
    def test_an_empty_daemon_is_joined_and_every_view_mirrored(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        names = client.query("views")["names"]
        for name in names:
            self.is_exact(client.mirror(name, "" if name == "workspace" else None))
        self.assertIn("counter", names)
        self.assertEqual(len(client.mirrors), len(names))

    def test_every_delta_has_the_digest_and_a_swift_mirror_agrees(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        mirrors = [client.mirror("app"), client.mirror("activity"), client.mirror("workspace", "")]
        actions = [
            INCREMENT,
            {"counter": "isPrimeButtonTapped"},
            {"activity": {"logIn": {"id": 1, "name": "Ada"}}},
            {"favoritePrimes": {"save": 7}},
            load("a", {"list": [1, 2.5, None], "text": "é" * 3000, "e\u0301": -(2**63)}),
            load("b", {}),
            {"workspace": {"append": {"path": "/a/list", "value": {"x": True}}}},
            edit("/a/text", offset=2, removed=2, inserted="u"),
            put("/b/x", [[], {}]),
            {"workspace": {"remove": {"path": "/a/list/0"}}},
            {"activity": "logOut"},
        ]
        for action in actions:
            outcome = client.do(action)
            self.assertEqual(outcome.code, "ok", (action, outcome))
            client.run(lambda: all(m.number >= client.published.get(m.topic, 0) for m in mirrors))
            for mirror in mirrors:
                self.is_exact(mirror)
        self.assertGreaterEqual(sum(mirror.deltas_checked for mirror in mirrors), len(actions))
        self.assertEqual((client.counts["replay"], client.counts["snapshot"]), (0, 0))
        for mirror in mirrors:
            self.agrees(daemon, mirror)

    def test_a_late_joiner_holds_the_same_and_both_see_each_others_actions(self):
        daemon = self.daemon("memory")
        early = self.client(daemon)
        first = early.mirror("counter")
        for _ in range(20):
            early.do(INCREMENT)
        late = self.client(daemon)
        second = late.mirror("counter")
        self.assertEqual(second.value["count"], 20)
        self.reaches(early, first, late.do(INCREMENT))
        self.reaches(late, second, early.do(INCREMENT))
        early.run(lambda: first.number == second.number)
        self.assertEqual((first.digest, first.value["count"]), (second.digest, 22))
        self.assertNotEqual(early.public, late.public)

    def test_parameters_beyond_200_bytes_have_a_hashed_topic(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        key = "k" * 150
        mirror = client.mirror("workspace", f"/{key}/{key}")
        self.assertEqual(mirror.topic[:11], b"Dworkspace\0")
        self.assertEqual((mirror.topic[11], len(mirror.topic)), (0xFF, 28))
        self.reaches(client, mirror, client.do(load(key, {key: {"a": 1}})))
        self.assertEqual(mirror.value["a"], 1)

    def test_a_view_that_was_left_is_not_published_any_more_to_this_client(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        counter, primes = client.mirror("counter"), client.mirror("primes")
        client.leave(counter)
        number = counter.number
        self.reaches(client, primes, client.do({"favoritePrimes": {"save": 3}}))
        self.assertEqual(counter.number, number)
        self.assertEqual(client.do(INCREMENT).code, "ok")
        self.assertEqual(client.published, {})

    def test_wrong_parameters_and_unknown_views_are_refused(self):
        client = self.client(self.daemon("memory"))
        for view, parameters, code in (
            ("workspace", 5, "malformed"),
            ("workspace", "no slash", "malformed"),
            ("nowhere", None, "unknown"),
        ):
            with self.subTest(view, parameters=parameters):
                with self.assertRaises(Refused) as caught:
                    client.mirror(view, parameters)
                self.assertEqual(caught.exception.code, code)
                self.assertNotEqual(caught.exception.text, "")
        self.is_exact(client.mirror("workspace", ""))


class Mending(LiveTestCase):
    def test_a_gap_is_closed_by_a_replay(self):
        client = self.client(self.daemon("memory"), LossyClient)
        mirror = client.mirror("counter")
        client.lossy = True
        for _ in range(3):
            client.do(INCREMENT)
        client.run(lambda: client.dropped == 3)
        client.lossy = False
        self.reaches(client, mirror, client.do(INCREMENT))
        self.assertEqual(mirror.value["count"], 4)
        self.assertEqual((client.answers, client.counts["replay"]), (["snapshot", "resume"], 1))

    def test_a_lost_last_delta_is_found_by_a_beat(self):
        client = self.client(self.daemon("memory"), LossyClient)
        mirror = client.mirror("counter")
        client.lossy = True
        outcome = client.do(INCREMENT)
        client.run(lambda: client.dropped == 1)
        client.lossy = False
        self.reaches(client, mirror, outcome)
        self.assertEqual(client.counts["replay"], 1)

    def test_a_mirror_that_went_wrong_is_found_by_the_digest_and_replaced(self):
        client = self.client(self.daemon("memory"))
        mirror = client.mirror("counter")
        mirror.value = decode(encode(dict(mirror.value.items()) | {"step": 9}))
        self.reaches(client, mirror, client.do(INCREMENT))
        self.assertEqual((mirror.value["step"], client.counts["snapshot"]), (1, 1))

    def test_what_a_gap_needs_is_gone_and_a_snapshot_comes_instead(self):
        daemon = self.daemon("memory", options=("--limits-kept-per-view", "1KiB"))
        client = self.client(daemon, LossyClient)
        mirror = client.mirror("workspace", "")
        client.lossy = True
        for step in range(20):
            client.do(put(f"/{step}", {"text": "x" * 200}))
        client.run(lambda: client.dropped == 20)
        client.lossy = False
        self.reaches(client, mirror, client.do(load("last", {})))
        self.assertEqual(len(mirror.value), 21)
        self.assertEqual((client.answers, client.counts["replay"]), (["snapshot", "snapshot"], 1))

    def test_values_too_large_to_publish_or_answer_are_fetched_in_chunks(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        mirror = client.mirror("workspace", "")
        for name in "abc":
            self.reaches(client, mirror, client.do(large(name)))
        self.assertGreaterEqual(client.counts["replay"], 3)
        late = self.client(daemon)
        second = late.mirror("workspace", "")
        self.assertGreater(late.counts["chunk"], 4)
        self.assertEqual((second.number, second.digest), (mirror.number, mirror.digest))
        self.agrees(daemon, second)

    def test_a_value_that_is_not_kept_any_more_is_asked_for_again(self):
        daemon = self.daemon("memory")
        first = self.client(daemon)
        for name in "ab":
            first.do(large(name))
        client = self.client(daemon, SlowClient)
        self.is_exact(client.mirror("workspace", ""))
        self.assertEqual((client.late, client.counts["snapshot"]), (False, 1))

    # A large value that is kept for fetching is handed to later joiners although the view has moved
    # on: a client asks for a replay after every fetch, and is in sync only then.
    def test_a_swift_mirror_of_a_large_view_is_not_behind(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        mirror = client.mirror("workspace", "")
        for name in "abc":
            self.reaches(client, mirror, client.do(large(name)))
        self.agrees(daemon, mirror)
        self.reaches(client, mirror, client.do(put("/a/more", 1)))
        self.agrees(daemon, mirror)

    def test_a_late_joiner_of_a_large_view_is_not_behind(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        mirror = client.mirror("workspace", "")
        for name in "abc":
            self.reaches(client, mirror, client.do(large(name)))
        self.client(daemon).mirror("workspace", "")
        self.reaches(client, mirror, client.do(put("/a/more", 1)))
        second = self.client(daemon).mirror("workspace", "")
        self.assertEqual((second.number, second.digest), (mirror.number, mirror.digest))

    def test_deltas_held_beyond_the_limit_are_dropped_and_asked_for_again(self):
        client = self.client(self.daemon("memory"), LossyClient)
        mirror = client.mirror("workspace", "")
        mirror.wants("replay", "a gap")
        mirror.most_held_bytes = 500
        for step in range(10):
            client.send(put(f"/{step}", "x" * 100))
            client.act(client.clock() + 5)  # which mends nothing: the replay stays to be asked for
        while mirror.drops == 0:
            client.step(client.clock() + 5)
        self.assertEqual(len(mirror.value), 0)
        client.run(lambda: mirror.stale is None and len(mirror.value) == 10)
        self.is_exact(mirror)


class Restarts(LiveTestCase):
    def test_a_daemon_is_killed_and_restarted_and_the_mirror_goes_on(self):
        daemon = self.daemon("journal")
        client = self.client(daemon)
        mirror = client.mirror("counter")
        self.reaches(client, mirror, client.do(INCREMENT))
        epoch = client.epoch
        daemon.kill()
        action = client.send(INCREMENT)
        with self.assertRaises(NoAnswer):
            client.outcome_of(action, timeout=1.5)
        daemon.start()
        self.reaches(client, mirror, client.outcome_of(action))
        self.assertEqual(mirror.value["count"], 2)
        self.assertNotEqual(client.epoch, epoch)
        self.assertGreaterEqual(client.counts["joins"], 2)
        self.agrees(daemon, mirror)

    def test_an_answered_action_is_answered_the_same_after_a_restart(self):
        daemon = self.daemon("journal")
        client = self.client(daemon)
        mirror = client.mirror("counter")
        entries = [[1, "do", INCREMENT], [2, "set", "counter.count", 4]]
        body = {"base": client.base, "entries": entries}
        ask = lambda: client.ask("act", body, client.clock() + 5)
        first = ask()
        self.assertEqual([outcome[1] for outcome in first.body["outcomes"]], ["ok", "not-settable"])
        self.assertEqual(encode(ask().body["outcomes"]), encode(first.body["outcomes"]))
        daemon.kill()
        daemon.start()
        client.run(lambda: client.counts["joins"] == 2)
        self.assertEqual(encode(ask().body["outcomes"]), encode(first.body["outcomes"]))
        self.assertEqual(mirror.value["count"], 1)
        self.assertEqual(client.actions.last, 2)

    def test_a_history_that_is_gone_makes_a_new_session_and_unknown_outcomes(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        mirror = client.mirror("counter")
        self.reaches(client, mirror, client.do(INCREMENT))
        session, lineage = client.session, client.lineage
        daemon.kill()
        sent, unsent = client.send(INCREMENT), client.send(INCREMENT)
        sent.is_sent = True  # as if the daemon had been killed just after this one was sent
        daemon.start()
        client.run(lambda: client.lineage != lineage)
        self.assertEqual(sent.outcome.code, "unknown")
        self.assertNotEqual(client.session, session)
        self.assertEqual(unsent.number, 1)
        self.reaches(client, mirror, client.outcome_of(unsent))
        self.assertEqual(mirror.value["count"], 1)

    def test_a_restored_backup_makes_a_new_session_and_the_mirror_follows_it(self):
        daemon = self.daemon("journal")
        client = self.client(daemon)
        mirror = client.mirror("counter")
        self.reaches(client, mirror, client.do(INCREMENT))
        state, backup = f"{daemon.folder}/state", f"{daemon.folder}/backup"
        daemon.kill()
        shutil.copytree(state, backup)
        daemon.start()
        for _ in range(3):
            self.reaches(client, mirror, client.do(INCREMENT))
        session = client.session
        daemon.kill()
        shutil.rmtree(state)
        shutil.copytree(backup, state)
        daemon.start()
        client.run(lambda: client.session != session and not mirror.stale)
        self.assertEqual(mirror.value["count"], 1)
        self.reaches(client, mirror, client.do(INCREMENT))
        self.assertEqual((mirror.value["count"], client.actions.last), (2, 1))
        self.agrees(daemon, mirror)

    def test_a_session_that_was_forgotten_makes_a_new_one(self):
        daemon = self.daemon("memory", options=("--limits-sessions", "2"))
        client, other = self.client(daemon), self.client(daemon)
        client.mirror("counter")
        self.assertEqual(client.do(INCREMENT).code, "ok")
        session = client.session
        client.bye()
        for each in (other, self.client(daemon)):
            self.assertEqual(each.do(INCREMENT).code, "ok")
            each.bye()
        action = client.send(INCREMENT)
        self.assertEqual(client.outcome_of(action).code, "ok")
        self.assertNotEqual(client.session, session)
        self.assertEqual(action.number, 1)

    def test_silence_makes_mirrors_stale_and_an_alive_proves_them(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        mirror = client.mirror("counter")
        daemon.signal("SIGSTOP")
        with self.assertRaises(NoAnswer):
            client.run(lambda: mirror.stale, timeout=6)
        self.assertEqual(mirror.stale, "silence")
        daemon.signal("SIGCONT")
        client.run(lambda: not mirror.stale)
        self.is_exact(mirror)
        self.reaches(client, mirror, client.do(INCREMENT))

    def test_a_daemon_that_stops_rings_and_leaves_mail(self):
        daemon = self.daemon("memory", options=("--timing-farewell", "10s"))
        client = self.client(daemon)
        client.mirror("counter")
        daemon.signal("SIGTERM")
        client.run(lambda: client.mail)
        self.assertEqual([mail[:2] for mail in client.mail], [[1, "going-away"]])
        daemon.process.wait(timeout=10)


class Acting(LiveTestCase):
    def test_outcomes_are_told_with_code_and_sentence(self):
        client = self.client(self.daemon("memory"))
        client.do(load("a", {"list": [1]}))
        for action, code, path in (
            ({"nonsense": 1}, "unknown-action", []),
            (edit("/a/list", offset=0, removed=0, inserted="x"), "rejected", ["a", "list"]),
            (put("no slash", 1), "invalid", []),
            (put("/a/list", [1]), "no-change", None),
        ):
            with self.subTest(code):
                outcome = client.do(action)
                self.assertEqual(outcome.code, code, outcome)
                self.assertEqual(outcome.commit is None, code != "no-change")
                if path is not None:
                    self.assertEqual(outcome.path, path)
                    self.assertNotEqual(outcome.text, "")

    def test_conditions_hold_an_action_back(self):
        client = self.client(self.daemon("memory"))
        mirror = client.mirror("counter")
        self.reaches(client, mirror, client.do(INCREMENT))
        expected = [[["counter", "count"], digest(1)]]
        self.assertEqual(client.do(INCREMENT, {"expect": expected}).code, "ok")
        self.assertEqual(client.do(INCREMENT, {"expect": expected}).code, "conflict")
        self.assertEqual(client.do(INCREMENT, {"if-commit": 1}).code, "conflict")

    def test_many_actions_share_a_request_and_keep_their_order(self):
        client = self.client(self.daemon("memory"))
        mirror = client.mirror("workspace", "")
        client.do(load("a", []))
        append = lambda value: {"workspace": {"append": {"path": "/a", "value": value}}}
        actions = [client.send(append(value)) for value in range(600)]
        commits = [client.outcome_of(action).commit for action in actions]
        self.assertEqual(commits, list(range(commits[0], commits[0] + 600)))
        client.run(lambda: mirror.number >= commits[-1])
        self.assertEqual(mirror.value["a"], list(range(600)))
        self.is_exact(mirror)

    def test_an_atomic_request_is_done_whole_or_not_at_all(self):
        client = self.client(self.daemon("memory"))
        mirror = client.mirror("counter")
        entries = [[1, "do", INCREMENT], [2, "set", "counter.count", 4], [3, "do", INCREMENT]]
        body = {"base": client.base, "atomic": True, "entries": entries}
        reply = client.ask("act", body, client.clock() + 5)
        codes = [outcome[1] for outcome in reply.body["outcomes"]]
        self.assertEqual(codes, ["cancelled", "not-settable", "cancelled"])
        client.actions.resume(reply.body["last"])
        self.reaches(client, mirror, client.do(INCREMENT))
        self.assertEqual(mirror.value["count"], 1)

    def test_what_is_given_up_is_never_applied(self):
        client = self.client(self.daemon("memory"))
        mirror = client.mirror("counter")
        action = client.send(INCREMENT)  # numbered, and never sent
        self.assertEqual(client.give_up(action).code, "cancelled")
        entries = [[action.number, "do", INCREMENT]]
        body = {"base": client.base, "entries": entries}
        reply = client.ask("act", body, client.clock() + 5)
        self.assertEqual(reply.body["outcomes"][0][1], "cancelled")
        self.reaches(client, mirror, client.do(INCREMENT))
        self.assertEqual(mirror.value["count"], 1)

    def test_a_number_keeps_its_bytes_and_none_is_left_out(self):
        client = self.client(self.daemon("memory"))
        client.mirror("counter")
        client.do(INCREMENT)
        entries = [[1, "do", DECREMENT], [3, "do", DECREMENT]]
        reply = client.ask("act", {"base": client.base, "entries": entries}, client.clock() + 5)
        codes = [outcome[1] for outcome in reply.body["outcomes"]]
        self.assertEqual(codes, ["id-reused", "out-of-order"])

    def test_a_client_without_subscriptions_may_act(self):
        daemon = self.daemon("memory")
        client = self.client(daemon)
        self.assertEqual(client.do(INCREMENT).code, "ok")
        self.assertEqual(client.do(INCREMENT).code, "ok")
        self.assertIn('"count":2', daemon.statecast("get", "counter"))

    def test_what_is_refused_for_good_is_given_up_and_the_next_action_is_done(self):
        client = self.client(self.daemon("memory"))
        mirror = client.mirror("counter")
        self.assertEqual(client.do(load("a", ["x" * 1000] * 1100)).code, "too-large")
        strange = client.actions.add(["lease", 1])
        after = client.send(INCREMENT)
        self.assertEqual(client.outcome_of(strange).code, "not-offered")
        self.reaches(client, mirror, client.outcome_of(after))
        self.assertEqual(client.actions.acked, 3)

    def test_an_alert_is_answered_once_by_its_id_and_a_button(self):
        daemon = self.daemon("memory")
        clients = [self.client(daemon), self.client(daemon)]
        mirrors = [client.mirror("counter") for client in clients]
        self.reaches(clients[0], mirrors[0], clients[0].do({"counter": "alertButtonTapped"}))
        alert = mirrors[0].value["alert"]
        self.assertEqual(alert.number, 60002)
        clients[1].run(lambda: mirrors[1].value["alert"])
        self.assertEqual(clients[1].answer(alert.item["id"], 1).code, "ok")
        self.assertEqual(clients[0].answer(alert.item["id"]).code, "already-answered")
        clients[0].run(lambda: mirrors[0].value["alert"] is None)

    def test_a_session_that_said_bye_is_not_attached_any_more(self):
        daemon = self.daemon("memory")
        client, other = self.client(daemon), self.client(daemon)
        client.mirror("counter")
        other.do(INCREMENT)
        client.bye()
        attached = {each["public"]: each["attached"] for each in other.query("sessions")}
        self.assertEqual(attached, {client.public: False, other.public: True})


if __name__ == "__main__":
    unittest.main()
