"""A connection to a daemon: joins, mirrors, acts, and starts over when the daemon does.

One thread, no callbacks: whatever waits also reads the publications. `time` and `random` come in
from outside, so that a test can say what they are.
"""

import os
import time

from . import wire
from .actions import Actions, Outcome
from .cbor import Malformed
from .mirror import REJOIN, REPLAY, SNAPSHOT, Mirror
from .sockets import Sockets

RETRY = 1.0
WELCOME = 0.5
LINK_LOST = 3.0
ALIVE = 2.0
REFUSAL_RETRY = 0.25

# Refusals of a whole request after which only a new session goes on.
SESSION_IS_OVER = ("rewritten", "expired", "evicted")

class NoAnswer(Exception):
    """The daemon did not answer in the time that was given."""


class Refused(Exception):
    """A request was refused; `code` is one of the protocol's."""

    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


class Client:
    """A session of the daemon in a folder; `counts` tells what had to be done for it."""

    def __init__(self, folder, session=None, clock=time.monotonic, random=os.urandom, sockets=None):
        self.sockets = sockets or Sockets(folder)
        self.clock = clock
        self.random = random
        self.session = session or random(16)
        self.epoch = self.lineage = self.base = self.seen = self.public = None
        self.limits = {}
        self.mirrors = {}
        self.request_number = 0
        self.actions = Actions()
        self.published = {}
        self.mail, self.mail_read, self.mail_rung = [], 0, 0
        self.nonce = self.welcome = self.reply = None
        self.joined = self.must_join = self.link_is_lost = False
        self.counts = dict.fromkeys(("joins", "replay", "snapshot", "chunk", "alive", "retries"), 0)
        self.heard = self.spoke = clock()

        self.sockets.subscribe(wire.BEAT_TOPIC)

    def close(self):
        self.sockets.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Joining

    def mirror(self, view, parameters=None, timeout=10):
        """A mirror of a view, joined; or raises why it was refused."""
        mirror = Mirror(view, parameters)
        self.mirrors[mirror.topic] = mirror
        self.sockets.subscribe(mirror.topic)
        deadline = self.clock() + timeout
        if self.joined:
            self.ring(deadline)
            body = {"views": [self.view_item(mirror)], "doorbell": self.nonce}
            try:
                self.take_answers(self.ask("join", body, deadline), deadline)
            except Refused as refusal:
                if refusal.code != "retry":
                    raise
                self.join(deadline)
        else:
            self.join(deadline)
        if mirror.refusal:
            self.forget(mirror)
            raise Refused(*mirror.refusal)
        self.run(lambda: not mirror.stale, deadline - self.clock())
        return mirror

    def forget(self, mirror):
        del self.mirrors[mirror.topic]
        self.sockets.unsubscribe(mirror.topic)

    def leave(self, mirror, timeout=10):
        self.forget(mirror)
        self.ask("leave", {"topics": [mirror.topic]}, self.clock() + timeout)

    def view_item(self, mirror):
        return [mirror.view, mirror.parameters, None, mirror.position]

    def ring(self, deadline):
        """Subscribes fresh doorbells until one is answered: all before it is live then."""
        while True:
            if self.nonce:
                self.sockets.unsubscribe(wire.doorbell_topic(self.nonce))
            self.nonce, self.welcome = self.random(16), None
            self.sockets.subscribe(wire.doorbell_topic(self.nonce))
            again = self.clock() + WELCOME
            while self.clock() < again:
                self.step(min(again, deadline))
                if self.welcome:
                    return
                self.check(deadline, "no welcome")

    def join(self, deadline):
        """A welcome, then hello with the positions of the mirrors."""
        self.must_join, self.joined = True, False
        for mirror in self.mirrors.values():
            mirror.join_again()
        self.ring(deadline)
        self.hello(deadline, doorbell=self.nonce)

    def hello(self, deadline, doorbell=None):
        views = [self.view_item(mirror) for mirror in self.mirrors.values()]
        body = {
            "base": self.base,
            "seen": self.seen,
            "acked": self.actions.acked,
            "views": views if doorbell else [],
            "present": False,
            "doorbell": doorbell,
            "protocol": [wire.VERSION, wire.VERSION],
        }
        reply = self.exchange("hello", body, deadline, epoch=None)
        if reply.code in SESSION_IS_OVER:
            self.new_session()
            return self.hello(deadline, doorbell)
        if reply.code == "retry":
            return self.join(deadline)
        if reply.code != "ok":
            raise Refused(reply.code, reply.body.get("text", ""))
        self.lineage, self.epoch = reply.lineage, reply.epoch
        self.base = reply.body.get("base", 0)
        self.public = reply.body.get("public")
        self.actions.resume(reply.body.get("last", 0))
        self.limits = dict(reply.body.get("limits").items())
        self.joined, self.must_join, self.link_is_lost = True, False, False
        self.note(reply)
        self.counts["joins"] += 1
        self.take_answers(reply, deadline)

    def new_session(self):
        self.session = self.random(16)
        self.base = self.seen = None
        self.mail_read = self.mail_rung = 0
        self.actions.start_over()

    def take_answers(self, reply, deadline):
        for item in reply.body.get("views") or []:
            self.take_answer(item, reply, deadline)

    def take_answer(self, item, reply, deadline):
        answer = wire.Answer.read(item)
        mirror = self.mirrors.get(answer.topic)
        if mirror:
            mirror.most_held_bytes = self.limits.get("held-deltas", mirror.most_held_bytes)
            fetch = lambda answer_id, size: self.fetch(answer_id, size, deadline)
            try:
                mirror.take(answer, reply.lineage, reply.epoch, fetch)
            except Refused as refusal:
                if refusal.code != "unknown":
                    raise
                mirror.wants(SNAPSHOT, "what was to be fetched is not kept any more")

    def fetch(self, answer_id, size, deadline):
        """A large value, chunk by chunk; its size is 0 where only the chunks tell it."""
        data = bytearray()
        while not data or len(data) < size:
            body = self.ask("chunk", {"answer": answer_id, "offset": len(data)}, deadline).body
            if size not in (0, body.get("size")):
                raise Malformed("a value of another size")
            size = body.get("size", 0)
            piece = body.get("bytes", b"")
            if not piece:
                raise Malformed("an empty chunk")
            data += piece
            self.counts["chunk"] += 1
        return bytes(data)

    # Asking

    def ask(self, kind, body, deadline):
        """The reply to a request that must be granted."""
        reply = self.exchange(kind, body, deadline, epoch=self.epoch)
        if reply.code != "ok":
            if reply.code == "retry":
                self.must_join = True
            raise Refused(reply.code, reply.body.get("text", ""))
        return reply

    def exchange(self, kind, body, deadline, epoch):
        """Sends a request until there is a reply to it; reads publications meanwhile."""
        self.request_number += 1
        body = {key: item for key, item in body.items() if item is not None}
        frames = wire.request_frames(kind, self.request_number, self.session, epoch, body)
        self.reply = None
        while True:
            self.sockets.ask(frames)
            self.spoke = self.clock()
            again = self.clock() + RETRY
            while self.clock() < again:
                self.step(min(again, deadline))
                if self.reply:
                    return self.reply
                self.check(deadline, f"no answer to {kind}")
            self.counts["retries"] += 1

    def check(self, deadline, what):
        if self.clock() >= deadline:
            raise NoAnswer(what)

    # Listening

    def step(self, until):
        """Waits for something to come, and takes all that is there."""
        publications, replies = self.sockets.receive(until - self.clock())
        for frames in publications:
            self.hear(frames)
        for frames in replies:
            reply = wire.Reply.read(frames)
            if reply.request == self.request_number:
                self.reply = reply
                self.note(reply)
        if not publications and self.joined and self.clock() - self.heard >= LINK_LOST:
            self.link_is_lost = True
            for mirror in self.mirrors.values():
                mirror.stale = mirror.stale or "silence"

    def note(self, position):
        """Keeps the newest point that is known to be durable: a later history must contain it.

        Not from a run that has not answered hello: it may have another history, and must say so.
        """
        if (position.lineage, position.epoch) != (self.lineage, self.epoch):
            return
        if self.seen is None or self.seen[1] != position.epoch or self.seen[2] < position.durable:
            self.seen = [position.lineage, position.epoch, position.durable]

    def hear(self, frames):
        self.heard = self.clock()
        topic = frames[0]
        if topic == wire.BEAT_TOPIC:
            beat = wire.Beat.read(frames)
            if self.joined and (beat.lineage, beat.epoch) != (self.lineage, self.epoch):
                self.must_join = True
            self.note(beat)
        elif topic[:1] == b"~":
            ring = wire.Ring.read(frames)
            if ring.nonce != self.nonce:
                return
            if ring.is_welcome and self.welcome:
                self.must_join = True  # nobody asked: the connection was made anew
            elif ring.is_welcome:
                self.welcome = ring
            else:
                self.mail_rung = max(self.mail_rung, ring.mail)
        elif topic in self.mirrors:
            self.publication(wire.Publication.read(frames))

    def publication(self, publication):
        if self.mirrors[publication.topic].offer(publication) == REJOIN:
            self.must_join = True

    # Living

    def run(self, until=lambda: False, timeout=10):
        """Follows, mends and shows life until something is so; NoAnswer after the time."""
        deadline = self.clock() + timeout
        while not until():
            self.check(deadline, "it did not become so")
            self.tend(deadline)
            if until():
                return
            self.step(min(deadline, self.spoke + ALIVE))

    def tend(self, deadline):
        """Does what is due: join again, mend mirrors, ask whether the daemon is still there."""
        try:
            if self.must_join:
                self.join(deadline)
            for mirror in list(self.mirrors.values()):
                if mirror.need in (REPLAY, SNAPSHOT):
                    self.mend(mirror, deadline)
            is_due = self.link_is_lost or self.clock() - self.spoke >= ALIVE
            if self.joined and (is_due or self.mail_rung > self.mail_read):
                self.alive(deadline)
        except Refused as refusal:
            if refusal.code == "busy":
                self.step(min(deadline, self.clock() + REFUSAL_RETRY))
            elif refusal.code == "unknown":
                self.must_join = True  # the daemon does not know this session's views
            elif refusal.code != "retry":
                raise

    def mend(self, mirror, deadline):
        kind = mirror.need
        body = {"topic": mirror.topic}
        if kind == REPLAY:
            body["from"] = mirror.number
        self.counts[kind] += 1
        reply = self.ask(kind, body, deadline)
        self.take_answer(reply.body[kind], reply, deadline)

    def alive(self, deadline):
        was_silent = self.link_is_lost
        mirrors = [mirror for mirror in self.mirrors.values() if mirror.number is not None]
        numbers = [[mirror.topic, mirror.number] for mirror in mirrors]
        self.counts["alive"] += 1
        body = self.ask("alive", {"mail": self.mail_read, "numbers": numbers}, deadline).body
        for mail in body.get("mail") or []:
            self.mail.append(mail)
            self.mail_read = max(self.mail_read, mail[0])
        for topic in body.get("behind") or []:
            if topic in self.mirrors and not self.mirrors[topic].need:
                self.mirrors[topic].wants(REPLAY, "behind")
        if body.get("again"):
            self.must_join = True
        if was_silent:
            self.link_is_lost = False
            self.heard = self.clock()
            theirs = dict((bytes(topic), number) for topic, number in body.get("numbers") or [])
            for mirror in mirrors:
                if mirror.stale == "silence":
                    if theirs.get(mirror.topic) == mirror.number:
                        mirror.stale = None
                    else:
                        mirror.wants(REPLAY, "behind")

    # Acting

    def send(self, action, options=None):
        """Numbers an action and leaves it to the next request; `outcome_of` waits for it."""
        return self.actions.add(["do", action, options] if options else ["do", action])

    def do(self, action, options=None, timeout=10):
        """Sends an action and waits for what becomes of it."""
        return self.outcome_of(self.send(action, options), timeout)

    def set(self, field, value, timeout=10):
        return self.outcome_of(self.actions.add(["set", field, value]), timeout)

    def answer(self, alert, button=None, timeout=10):
        """Answers an alert or a dialog by its id; no button dismisses it."""
        return self.outcome_of(self.actions.add(["answer", alert, button]), timeout)

    def outcome_of(self, action, timeout=10):
        deadline = self.clock() + timeout
        while not action.outcome:
            self.tend(deadline)
            if not self.joined:
                self.join(deadline) if self.mirrors else self.hello(deadline)
            if not action.outcome and not self.act(deadline):
                self.step(min(deadline, self.clock() + REFUSAL_RETRY))
                self.check(deadline, "the action is refused for the time being")
        return action.outcome

    def act(self, deadline):
        """Sends what waits, in order, as one request. False: it is worth to wait a little."""
        batch = self.actions.batch(self.limits)
        for action in batch:
            action.is_sent = True
        entries = [[action.number, *action.entry] for action in batch]
        body = {"base": self.base, "acked": self.actions.acked, "entries": entries}
        reply = self.exchange("act", body, deadline, epoch=self.epoch)
        if reply.code == "retry" or reply.code in SESSION_IS_OVER:
            self.must_join = bool(self.mirrors)
            self.joined = False
            return True
        if reply.code == "too-large" and len(batch) == 1:
            return self.give_up_refused(batch[0], reply, deadline)
        if reply.code != "ok":
            raise Refused(reply.code, reply.body.get("text", ""))
        is_through = self.take_outcomes(reply)
        if self.actions.stuck:
            self.give_up(self.actions.stuck, deadline - self.clock())
            return True
        return is_through

    def give_up_refused(self, action, reply, deadline):
        action.outcome = Outcome(reply.code, text=reply.body.get("text", ""))
        self.give_up(action, deadline - self.clock())
        return True

    def take_outcomes(self, reply):
        """Outcomes, and the numbers at which this session's mirrors show the actions."""
        self.published = dict((topic, number) for topic, number in reply.body.get("views") or [])
        return self.actions.take(reply.body)

    def give_up(self, action, timeout=10):
        """Burns an action's number unless it has an outcome already: it never will be applied."""
        body = {"base": self.base, "acked": self.actions.acked, "numbers": [action.number]}
        self.take_outcomes(self.ask("outcome", body, self.clock() + timeout))
        return action.outcome

    def bye(self, timeout=10):
        """Ends the session, so that the daemon need not wait for it."""
        self.ask("bye", {}, self.clock() + timeout)
        self.joined = False

    def query(self, kind, body=None, timeout=10):
        """What `views`, `schema`, `sessions`, `stats` or `log` answers."""
        return self.ask(kind, body or {}, self.clock() + timeout).body.get("value")
