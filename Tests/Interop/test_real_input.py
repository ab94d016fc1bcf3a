"""Real documents and a real editing session, mirrored here and by the Swift command line."""

import gzip
import json
import unittest

from daemon import DATA, DaemonTestCase
from statecast_client.cbor import Map, decode, encode
from statecast_client.client import Client
from statecast_client.digest import digest

LANGUAGES = "/usr/share/iso-codes/json/iso_639-3.json"
ENTRIES_A_PATCH = 500
EDITS = 5_000
EDITS_A_REQUEST = 8


def plain(value):
    """A mirrored value as json.loads would give it."""
    if isinstance(value, Map):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


class RealInput(DaemonTestCase):
    def client(self, daemon):
        client = Client(daemon.folder)
        self.addCleanup(client.close)
        return client

    def do(self, client, name, /, **payload):
        outcome = client.do({"workspace": {name: payload}})
        self.assertEqual(outcome.code, "ok", outcome)
        return outcome

    def test_all_languages_are_loaded_in_pieces_and_mirrored_exactly(self):
        languages = json.loads(self.needed(LANGUAGES).read_text())
        entries = languages["639-3"]
        daemon = self.daemon("journal")
        client = self.client(daemon)
        mirror = client.mirror("workspace", "")
        self.do(client, "load", name="iso_639-3", document={"639-3": []})
        for start in range(0, len(entries), ENTRIES_A_PATCH):
            piece = entries[start : start + ENTRIES_A_PATCH]
            operations = [{"op": "add", "path": "/639-3/-", "value": entry} for entry in piece]
            outcome = self.do(client, "patch", path="/iso_639-3", operations=operations)
            client.run(lambda: not mirror.stale and mirror.number >= outcome.commit)
        self.assertEqual(plain(mirror.value["iso_639-3"]), languages)
        self.assertEqual(digest(decode(encode(mirror.value))), mirror.digest)
        self.assertGreater(mirror.deltas_checked, len(entries) // ENTRIES_A_PATCH)
        self.assertEqual(client.counts["snapshot"], 0)
        self.agrees(daemon, mirror)

    def test_a_real_editing_session_is_mirrored_edit_by_edit(self):
        with gzip.open(self.needed(DATA / "sveltecomponent.json.gz")) as file:
            session = json.load(file)
        edits = [edit for step in session["txns"] for edit in step["patches"]][:EDITS]
        text = session["startContent"]
        daemon = self.daemon("journal")
        client = self.client(daemon)
        self.do(client, "load", name="trace", document=text)
        mirror = client.mirror("workspace", "/trace")
        for start in range(0, len(edits), EDITS_A_REQUEST):
            actions = []
            for offset, removed, inserted in edits[start : start + EDITS_A_REQUEST]:
                text = text[:offset] + inserted + text[offset + removed :]
                payload = {"offset": offset, "removed": removed, "inserted": inserted}
                action = {"workspace": {"edit": {"path": "/trace", **payload}}}
                actions.append(client.send(action))
            codes = [client.outcome_of(action).code for action in actions]
            # Some of the recorded edits put in again what they take out, one by one or as a batch.
            self.assertLessEqual(set(codes), {"ok", "no-change"})
            client.run(lambda: mirror.number >= client.published.get(mirror.topic, 0))
        self.assertEqual(mirror.value, text)
        self.assertEqual(digest(decode(encode(mirror.value))), mirror.digest)
        self.assertGreater(mirror.deltas_checked, len(edits) // EDITS_A_REQUEST * 0.9)
        self.assertEqual((client.counts["replay"], client.counts["snapshot"]), (0, 0))
        self.agrees(daemon, mirror)
        daemon.kill()
        daemon.start()
        client.run(lambda: client.counts["joins"] == 2 and not mirror.stale)
        self.assertEqual(mirror.value, text)
        self.agrees(daemon, mirror)


if __name__ == "__main__":
    unittest.main()
