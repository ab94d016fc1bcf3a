"""The frames of the vectors: read and written again alike, and a client's whole life replayed."""

import json
import unittest
from collections import deque

from statecast_client import wire
from statecast_client.cbor import decode, encode
from statecast_client.client import Client
from test_vectors import VECTORS

SESSION = bytes(range(1, 17))


def section(name):
    lines = json.loads((VECTORS / "frames.json").read_text())[name]
    return [line | {"frames": [bytes.fromhex(frame) for frame in line["frames"]]} for line in lines]


def fields(item):
    """What a header or a ring says, in the order of the wire."""
    return [wire.VERSION, *(value for name, value in vars(item).items() if name not in APART)]


APART = ("topic", "payload", "body", "nonce")


class Messages(unittest.TestCase):
    def test_requests_are_written_as_the_vectors_are(self):
        for message in section("messages"):
            if message["kind"] != "request":
                continue
            with self.subTest(message["name"]):
                header, body = (decode(frame) for frame in message["frames"])
                _, kind, number, session, epoch = header
                body = dict(body.items())
                again = wire.request_frames(kind, number, session, epoch, body)
                self.assertEqual(again, message["frames"])

    def test_replies_are_read_whole(self):
        for message in section("messages"):
            if message["kind"] != "reply":
                continue
            with self.subTest(message["name"]):
                reply = wire.Reply.read(message["frames"])
                self.assertEqual([encode(fields(reply)), encode(reply.body)], message["frames"])
                for item in reply.body.get("views", []) if message["name"] != "act" else []:
                    answer = wire.Answer.read(item)
                    self.assertIn(answer.kind, ("resume", "snapshot", "pull", "refused"))

    def test_broadcasts_are_read_whole(self):
        kinds = {"publication": wire.Publication, "beat": wire.Beat, "ring": wire.Ring}
        for message in section("messages"):
            if message["kind"] in ("request", "reply"):
                continue
            with self.subTest(message["name"]):
                read = kinds[message["name"]].read(message["frames"])
                self.assertEqual(encode(fields(read)), message["frames"][1])


class Script:
    """Sockets that are a transcript: what the client sends must be the next line of it."""

    def __init__(self, test, lines):
        self.test = test
        self.lines = deque(lines)
        self.nonces = [bytes([0x44] * 8 + [0x55] * 8)]

    def random(self, size):
        return self.nonces.pop()

    def subscribe(self, topic):
        self.sends("SUB", [b"\1" + topic])

    def ask(self, frames):
        self.sends("REQ", frames)

    def sends(self, socket, frames):
        line = self.lines.popleft()
        expected = [line["by"], line["on"], *line["frames"]]
        self.test.assertEqual(["client", socket, *frames], expected, line["what"])

    def receive(self, seconds):
        received = {"SUB": [], "REQ": []}
        while self.lines and self.lines[0]["by"] == "daemon":
            line = self.lines.popleft()
            received[line["on"]].append(line["frames"])
        return received["SUB"], received["REQ"]


class DeafClient(Client):
    """Does not hear the publications of one commit."""

    deaf_to = None

    def publication(self, publication):
        if publication.end != self.deaf_to:
            super().publication(publication)


class Transcript(unittest.TestCase):
    def test_a_clients_whole_life_is_the_transcripts_byte_by_byte(self):
        script = Script(self, section("transcript"))
        client = DeafClient(
            "", session=SESSION, clock=lambda: 0, random=script.random, sockets=script
        )
        mirror = client.mirror("bit")
        self.assertEqual(mirror.value, 0)
        entries = [[1, "do", ["flip", "a"]]]
        first = client.outcome_of(client.send(["flip", "a"]))
        self.assertEqual((first.code, first.commit, mirror.value), ("ok", 1, 1))
        body = {"base": client.base, "acked": 0, "entries": entries}
        again = client.ask("act", body, 1)
        self.assertEqual(again.body["outcomes"], [[1, "ok", 1]])

        client.deaf_to = 3
        for number, action in ((2, ["bad", "b"]), (3, ["nothing", "c"]), (4, ["flip", "d"])):
            self.assertEqual(client.send(action).number, number)
        entries = [[action.number, *action.entry] for action in client.actions.waiting]
        reply = client.ask("act", body | {"entries": entries}, 1)
        client.take_outcomes(reply)
        self.assertEqual((client.published, mirror.number), ({mirror.topic: 3}, 1))
        mirror.wants("replay", "a gap")
        client.mend(mirror, 1)
        self.assertEqual((mirror.value, mirror.number, mirror.stale), (0, 3, None))
        client.alive(1)

        late = client.send(["flip", "e"])
        self.assertEqual(client.give_up(late).code, "cancelled")
        reply = client.ask("act", body | {"entries": [[5, "do", ["flip", "e"]]]}, 1)
        self.assertEqual(reply.body["outcomes"][0][1], "cancelled")
        client.step(0)
        self.assertEqual((mirror.number, mirror.stale), (3, None))

        mirror.join_again()
        client.hello(1, doorbell=client.nonce)
        self.assertEqual((mirror.value, mirror.number, mirror.stale), (0, 3, None))
        self.assertEqual(client.exchange("why", {}, 1, client.epoch).code, "not-offered")
        client.bye()
        self.assertEqual(list(script.lines), [])


if __name__ == "__main__":
    unittest.main()
