"""Makes, or with --check compares, the sections of vectors.json that Python answers for.

    python make_vectors.py          write `encodings` and `digests`, keep all other sections
    python make_vectors.py --check  write nothing; also apply every delta; exit 1 on a difference

Needs `xxhash` from PyPI.
"""

import json
import pathlib
import random
import sys

from statecast_value import Float, Map, Tag, apply, decode, digest, encode, notation, real

FILE = pathlib.Path(__file__).with_name("vectors.json")


def integers():
    edges = [0, 1, 23, 24, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53 + 1, 2**63 - 1, 2**63]
    for value in edges + [2**64 - 1]:
        yield f"integer {value}", value
    for value in [1, 24, 25, 256, 257, 65536, 65537, 2**32, 2**32 + 1, 2**63, 2**63 + 1, 2**64]:
        yield f"integer -{value}", -value


def floats():
    for value in [0.0, -0.0, 1.0, 1.1, 1.5, -4.1, 65504.0, 65505.0, 65536.0, 100000.0, 1e300]:
        yield f"float {value}", real(value)
    named = {
        "smallest half": 0x3E70000000000000,
        "half of the smallest half": 0x3E60000000000000,
        "largest subnormal half": 0x3F0FF80000000000,
        "smallest normal half": 0x3F10000000000000,
        "smallest single": 0x36A0000000000000,
        "half of the smallest single": 0x3690000000000000,
        "largest single": 0x47EFFFFFE0000000,
        "smallest double": 1,
        "largest double": 0x7FEFFFFFFFFFFFFF,
        "infinity": 0x7FF0000000000000,
        "minus infinity": 0xFFF0000000000000,
        "quiet NaN": 0x7FF8000000000000,
        "negative NaN": 0xFFF8000000000000,
        "signalling NaN, 16 bits": 0x7FF0040000000000,
        "signalling NaN, 32 bits": 0x7FF0000020000000,
        "signalling NaN, 64 bits": 0x7FF0000000000001,
    }
    for name, bits in named.items():
        yield f"float {name}", Float(bits)


def texts():
    yield "text empty", ""
    yield "text of 23 bytes", "x" * 23
    yield "text of 24 bytes", "x" * 24
    yield "text of 256 bytes", "x" * 256
    yield "text composed", "\u00e9"
    yield "text decomposed", "e\u0301"
    yield "text NUL, quote, backslash", '\0"\\'
    yield "text of four planes", "a\u00fc\u6c34\U00010151\U0001f44d"
    yield "text of 4096 bytes, a leaf", "ab" * 2048
    yield "text of 4097 bytes, a sum", "ab" * 2048 + "c"
    yield "text of 4097 bytes, not ASCII", "\u6c34" * 1365 + "ab"
    yield "text of 4500 NUL bytes", "\0" * 4500


def byte_strings():
    yield "bytes empty", b""
    yield "bytes 1 2 3 4", bytes([1, 2, 3, 4])
    yield "bytes of 5000, a leaf", bytes(i * 7 % 256 for i in range(5000))


def arrays():
    yield "array empty", []
    yield "array 1 2 3", [1, 2, 3]
    yield "array 3 2 1", [3, 2, 1]
    yield "array of an empty array", [[]]
    yield "array of two nulls", [None, None]
    yield "array of three nulls", [None, None, None]
    yield "array nested", [1, [2, 3], [4, [5, []]]]
    yield "array of 24", list(range(24))
    yield "array of 300", [i % 7 for i in range(300)]
    yield "array nested 200 deep", nested(200)


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


def maps():
    yield "map empty", Map([])
    yield "map a b", Map([("a", 1), ("b", [2, 3])])
    yield "map ordered by encoding", Map(
        [("aa", 1), ("b", 2), (100, 3), (10, 4), (-1, 5), (False, 6), ([-1], 7), ([100], 8)]
    )
    yield "map composed and decomposed", Map([("\u00e9", 1), ("e\u0301", 2)])
    yield "map keys with / ~ NUL and empty", Map([("/", 1), ("~", 2), ("\0", 3), ("", 4)])
    yield "map of numbers", Map([(i * 37 % 101 - 50, i) for i in range(101)])
    yield "map under a long text", Map([("k" * 5000, "v")])
    yield "map nested", Map([("a", Map([("a", Map([]))])), (Map([("k", 1)]), Tag(1, 2))])


def tags():
    yield "tag date", Tag(1, real(1363896240.5))
    yield "tag of a tag", Tag(24, Tag(37, b"\0"))
    yield "tag of an array", Tag(4, [-2, 27315])
    yield "tag of 64 bits", Tag(2**64 - 1, None)
    yield "tag of a long text", Tag(32, "t" * 4097)


def typed():
    """What Swift's types encode to; the Swift test knows the value behind each name."""
    yield "Bool true", True
    yield "Int8 -128", -128
    yield "UInt64 greatest", 2**64 - 1
    yield "Float 0.1", Float(0x3FB99999A0000000)
    yield "Optional none", None
    yield "Optional some", 5
    yield "Optional of optional: none", []
    yield "Optional of optional: some none", [None]
    yield "Optional of optional: some some", [5]
    yield "Array of UInt8", [1, 2, 255]
    yield "Data", bytes([1, 2, 255])
    yield "Dictionary by text", Map([("bb", 1), ("a", 2), ("c", 3)])
    yield "Dictionary by integer", Map([(10, "ten"), (-1, "minus one"), (256, "big")])
    yield "Set of texts", ["a", "c", "bb"]
    yield "Set of integers", [1, 10, 300, -1]
    yield "Duration 1.5 s", [1, 5 * 10**17]
    yield "Duration -1.5 s", [-1, -5 * 10**17]
    yield "Date 2013-03-21T20:04:00.5Z", Tag(1, real(1363896240.5))
    yield "Date stored 0", Tag(1, real(978307200.0))
    yield "Date stored 0.1", Tag(60001, real(0.1))
    yield "Date stored -0", Tag(60001, real(-0.0))
    yield "UUID", Tag(37, bytes(range(16)))
    yield "URL", Tag(32, "https://example.org/a?b#c")
    yield "URL with base", Tag(32, ["c/d", "https://example.org/a/"])
    yield "Decimal 273.15", Tag(4, [-2, 27315])
    yield "Decimal 1200", Tag(4, [2, 12])
    yield "Decimal 0", Tag(4, [0, 0])
    yield "Decimal -12345678901234567890.1", Tag(4, [-1, Tag(3, (123456789012345678901 - 1).to_bytes(9, "big"))])
    yield "Decimal 2^128-1", Tag(4, [0, Tag(2, b"\xff" * 16)])
    yield "Decimal NaN", Tag(4, [0, None])
    yield "SortedDictionary", Map([("e\u0301", 1), ("\u00e9", 2)])
    yield "IdentifiedArray", [Map([("id", 1), ("name", "a")]), Map([("id", 2), ("name", None)])]
    yield "EditableText", "edited"
    yield "struct", Map([("isDone", False), ("note", None), ("title", "t")])
    yield "case without payload", "idle"
    yield "case with one payload", Map([("loaded", 3)])
    yield "case with labelled payloads", Map([("moved", Map([("from", 1), ("to", 2)]))])
    yield "case with unlabelled payloads", Map([("pair", Map([("_0", 1), ("_1", "x")]))])


def random_value(source, depth):
    kind = source.randrange(7 if depth == 0 else 10)
    if kind == 0:
        return source.choice([None, True, False])
    if kind == 1:
        return source.randrange(2 ** source.randrange(1, 65))
    if kind == 2:
        return -1 - source.randrange(2 ** source.randrange(1, 65))
    if kind == 3:
        bits = source.getrandbits(64)
        return Float(bits >> 42 << 42 if source.random() < 0.5 else bits)
    if kind == 4:
        return bytes(source.getrandbits(8) for _ in range(source.randrange(40)))
    if kind in (5, 6):
        return "".join(source.choice("ab\u00e9e\u0301\u6c34\U0001f44d/") for _ in range(source.randrange(30)))
    if kind == 7:
        return [random_value(source, depth - 1) for _ in range(source.randrange(8))]
    if kind == 8:
        entries = {}
        for _ in range(source.randrange(8)):
            key = random_value(source, min(depth - 1, 1))
            entries[encode(key)] = (key, random_value(source, depth - 1))
        return Map(list(entries.values()))
    return Tag(source.randrange(2 ** source.randrange(1, 33)), random_value(source, depth - 1))


def randoms():
    source = random.Random(2026)
    for number in range(60):
        yield f"random {number}", random_value(source, 4)


def sections():
    plain = []
    for group in (integers, floats, texts, byte_strings, arrays, maps, tags, randoms):
        plain += group()
    simple = [("null", None), ("true", True), ("false", False)] + plain
    encodings = [
        {"name": name, "value": notation(value), "encoding": encode(value).hex()}
        for name, value in simple
    ]
    types = [
        {"name": name, "type": True, "value": notation(value), "encoding": encode(value).hex()}
        for name, value in typed()
    ]
    digests = [
        {"name": name, "encoding": encode(value).hex(), "digest": f"{digest(value):016x}"}
        for name, value in simple + list(typed()) + [("array nested 256 deep", nested(256))]
    ]
    return {"encodings": encodings + types, "digests": digests}


def check(vectors):
    for name, section in sections().items():
        if vectors.get(name) != section:
            yield f"section `{name}` is not what Python computes"
    for entry in vectors["encodings"]:
        data = bytes.fromhex(entry["encoding"])
        if encode(decode(data)) != data:
            yield f"encoding `{entry['name']}` does not come back"
    for entry in vectors.get("deltas", []):
        before = decode(bytes.fromhex(entry["before"]))
        after = apply(before, decode(bytes.fromhex(entry["delta"])))
        if encode(after).hex() != entry["after"]:
            yield f"delta `{entry['name']}` does not lead to what it says"
        if f"{digest(after):016x}" != entry["digest"]:
            yield f"delta `{entry['name']}`: the digest differs"


def write(vectors):
    """One entry a line, so that a change shows as a change."""
    parts = []
    for name, section in sorted(vectors.items()):
        lines = ",\n".join("    " + json.dumps(entry, sort_keys=True) for entry in section)
        parts.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def main():
    vectors = json.loads(FILE.read_text()) if FILE.exists() else {}
    if sys.argv[1:] == ["--check"]:
        differences = list(check(vectors))
        for difference in differences:
            print(difference, file=sys.stderr)
        counts = ", ".join(f"{len(section)} {name}" for name, section in vectors.items())
        print(f"vectors: {counts}: {len(differences)} differences")
        sys.exit(1 if differences else 0)
    write(vectors | sections())


if __name__ == "__main__":
    main()
