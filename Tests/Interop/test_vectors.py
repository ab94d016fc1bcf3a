"""This client's encodings, digests and deltas are those of the vectors, bit by bit."""

import json
import pathlib
import random
import struct
import unittest

import cbor2

from statecast_client import wire
from statecast_client.cbor import Malformed, Map, NaN, Tag, decode, encode
from statecast_client.delta import DoesNotFit, apply
from statecast_client.digest import digest

VECTORS = pathlib.Path(__file__).parent.parent / "Vectors"


def section(name):
    return json.loads((VECTORS / "vectors.json").read_text())[name]


def value_of(notation):
    """The value of the vectors' JSON notation."""
    if notation is None or isinstance(notation, bool):
        return notation
    ((kind, content),) = notation.items()
    if kind == "integer":
        return int(content)
    if kind == "float":
        value = struct.unpack(">d", bytes.fromhex(content))[0]
        return value if value == value else NaN(int(content, 16))
    if kind == "bytes":
        return bytes.fromhex(content)
    if kind == "text":
        return content
    if kind == "array":
        return [value_of(item) for item in content]
    if kind == "map":
        return Map({encode(value_of(key)): value_of(item) for key, item in content})
    return Tag(int(content[0]), value_of(content[1]))


class Vectors(unittest.TestCase):
    def test_every_value_has_its_one_encoding(self):
        for vector in section("encodings"):
            with self.subTest(vector["name"]):
                encoding = bytes.fromhex(vector["encoding"])
                self.assertEqual(encode(value_of(vector["value"])), encoding)
                self.assertEqual(encode(decode(encoding)), encoding)

    def test_every_value_has_its_digest(self):
        for vector in section("digests"):
            with self.subTest(vector["name"]):
                value = decode(bytes.fromhex(vector["encoding"]))
                self.assertEqual(f"{digest(value):016x}", vector["digest"])

    def test_every_delta_leads_to_its_value_and_digest(self):
        for vector in section("deltas"):
            with self.subTest(vector["name"]):
                before = decode(bytes.fromhex(vector["before"]))
                digest(before)  # so that all sums are known, and must be kept up to date
                after = apply(before, decode(bytes.fromhex(vector["delta"])))
                self.assertEqual(encode(after).hex(), vector["after"])
                self.assertEqual(f"{digest(after):016x}", vector["digest"])
                self.assertEqual(encode(before).hex(), vector["before"])

    def test_cbor2_reads_what_is_encoded_here(self):
        value = {"a": [1, -2**64, 1.5, 65505.0, b"\0", None, True], "": {"é": "\U00010151"}}
        self.assertEqual(cbor2.loads(encode(value)), value)


class Strictness(unittest.TestCase):
    REFUSED = {
        "nothing": "",
        "an item that ends early": "6261",
        "an array that ends early": "8201",
        "bytes after the item": "f6f6",
        "a long head": "1817",
        "a long head of 16 bits": "1900ff",
        "a long head of 64 bits": "1b00000000ffffffff",
        "an indefinite array": "9fff",
        "a reserved head": "1c",
        "keys out of order": "a2616200616100",
        "keys in length-first order": "a2626161002000",
        "a key twice": "a2616100616101",
        "a text that is not UTF-8": "61ff",
        "a surrogate in a text": "63eda080",
        "a 64-bit float that is a half": "fb3ff0000000000000",
        "a 32-bit NaN that is a half": "fa7fc00000",
        "undefined": "f7",
        "a simple value": "f820",
    }

    def test_any_other_form_is_refused(self):
        for name, encoding in self.REFUSED.items():
            with self.subTest(name), self.assertRaises(Malformed):
                decode(bytes.fromhex(encoding))

    def test_256_containers_nest_and_257_do_not(self):
        for item in (b"\x80", b"\xa0"):
            decode(b"\x81" * 255 + item)
            with self.assertRaises(Malformed):
                decode(b"\x81" * 256 + item)
        decode(b"\x81" * 256 + b"\x01")

    def test_a_delta_that_does_not_fit_changes_nothing(self):
        value = decode(encode({"list": [1, 2], "text": "xé", "map": {}}))
        before = encode(value)
        for change in (
            [0, ["list", 2], 0],
            [0, ["gone", "a"], 0],
            [0, ["text", 0], 0],
            [1, []],
            [1, ["gone"]],
            [1, ["list", 0]],
            [2, ["list"], 3, 0, []],
            [2, ["list"], 1, 2, []],
            [2, ["map"], 0, 0, []],
            [3, ["list"], 0, 2],
            [4, ["text"], 2, 0, "a"],
            [4, ["text"], 1, 1, "a"],
            [4, ["text"], 4, 0, "a"],
            [5, []],
            [0],
            [],
            None,
        ):
            with self.subTest(change), self.assertRaises(DoesNotFit):
                apply(value, decode(encode([[0, ["list", 0], "changed"], change])))
            self.assertEqual(encode(value), before)


class Sums(unittest.TestCase):
    def test_sums_that_are_kept_up_to_date_are_those_of_the_value(self):
        seed = random.SystemRandom().randrange(2**32)
        chance = random.Random(seed)
        value = decode(encode({"text": "héé\n" * 2000, "list": list(range(50)), "map": {}}))
        digest(value)
        for step in range(300):
            size = len(value["list"])
            index = chance.randrange(size + 1)
            removed = chance.randrange(min(4, size - index) + 1)
            text = value["text"]
            ends = sorted(chance.choices(range(len(text) + 1), k=2))
            ends[1] = min(ends[1], ends[0] + 40)
            offset, end = (len(text[:place].encode()) for place in ends)
            delta = [
                [2, ["list"], index, removed, [chance.random(), [step]][: chance.randrange(3)]],
                [4, ["text"], offset, end - offset, "ü" * chance.randrange(30)],
                [0, ["map", step % 7], "x" * chance.randrange(10)],
                [0, ["list", 0], [step]] if size > removed + 1 else [0, ["map", 9], 0],
                [3, ["list"], 0, size - removed - 1] if size > removed + 1 else [0, ["map", 8], 0],
            ]
            value = apply(value, decode(encode(delta)))
            if step % 5 == 0:
                value = apply(value, decode(encode([[1, ["map", step % 7]]])))
            fresh = decode(encode(value))
            self.assertEqual(digest(value), digest(fresh), f"seed {seed}, step {step}")


if __name__ == "__main__":
    unittest.main()
