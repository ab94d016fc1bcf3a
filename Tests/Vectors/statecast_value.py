"""Encodings, digests and deltas of protocol version 1, in plain Python.

Written from the protocol article alone, and shares no code with the Swift sources: that both agree
on every vector is the point of it. Needs `xxhash` from PyPI.

A value is None, bool, int, Float, str, bytes, list, Map or Tag.
"""

import struct
from dataclasses import dataclass

import xxhash


@dataclass(frozen=True)
class Float:
    """A float by its 64 bits: NaN payloads and the sign of zero must survive."""

    bits: int


@dataclass
class Map:
    """The entries of a map, in any order."""

    entries: list


@dataclass
class Tag:
    """A tagged item."""

    number: int
    item: object


def real(value):
    """The Float of a Python float."""
    return Float(struct.unpack(">Q", struct.pack(">d", value))[0])


# Encoding (RFC 8949, 4.2.1)


def head(major, argument):
    """A major type with its argument in the shortest form."""
    if argument < 24:
        return bytes([major << 5 | argument])
    for info, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if argument < 1 << (8 * size):
            return bytes([major << 5 | info]) + argument.to_bytes(size, "big")
    raise ValueError("an argument beyond 64 bits")


def widen(bits, exponent_bits, fraction_bits):
    """The 64 bits of a narrower float, worked out on the bits."""
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1)
    sign = bits >> (exponent_bits + fraction_bits)
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent == (1 << exponent_bits) - 1:
        exponent = 2047
    elif exponent > 0:
        exponent += 1023 - bias
    elif fraction > 0:
        shift = fraction_bits + 1 - fraction.bit_length()
        fraction = fraction << shift & ((1 << fraction_bits) - 1)
        exponent = 1023 - bias + 1 - shift
    return sign << 63 | exponent << 52 | fraction << (52 - fraction_bits)


def narrow(bits, exponent_bits, fraction_bits):
    """The narrower float that widens to `bits`, or None: tried, not derived."""
    sign = bits >> 63
    exponent = bits >> 52 & 2047
    fraction = bits & ((1 << 52) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    least = 1023 - bias + 1
    if exponent == 2047:
        small = (1 << exponent_bits) - 1
    elif exponent >= least:
        small = exponent - (1023 - bias)
        if small >= (1 << exponent_bits) - 1:
            return None
    else:
        small = 0
        if exponent > 0:
            fraction = (fraction | 1 << 52) >> min(least - exponent, 60)
    candidate = (sign << exponent_bits | small) << fraction_bits | fraction >> (52 - fraction_bits)
    return candidate if widen(candidate, exponent_bits, fraction_bits) == bits else None


def encode(value):
    """The one encoding of a value."""
    if value is None:
        return b"\xf6"
    if value is True:
        return b"\xf5"
    if value is False:
        return b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, Float):
        half = narrow(value.bits, 5, 10)
        if half is not None:
            return b"\xf9" + half.to_bytes(2, "big")
        single = narrow(value.bits, 8, 23)
        if single is not None:
            return b"\xfa" + single.to_bytes(4, "big")
        return b"\xfb" + value.bits.to_bytes(8, "big")
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        utf8 = value.encode("utf-8")
        return head(3, len(utf8)) + utf8
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(encode(item) for item in value)
    if isinstance(value, Map):
        entries = sorted((encode(key), encode(item)) for key, item in value.entries)
        return head(5, len(entries)) + b"".join(key + item for key, item in entries)
    if isinstance(value, Tag):
        return head(6, value.number) + encode(value.item)
    raise TypeError(f"no value: {value!r}")


def decode(data):
    """The value of an encoding that is known to be in the one form; for vectors, not for a wire."""
    value, end = decode_item(data, 0)
    if end != len(data):
        raise ValueError("bytes follow the item")
    return value


def decode_item(data, at):
    first = data[at]
    major, info = first >> 5, first & 31
    at += 1
    if major == 7:
        if info == 22:
            return None, at
        if info in (20, 21):
            return info == 21, at
        size = {25: 2, 26: 4, 27: 8}[info]
        bits = int.from_bytes(data[at : at + size], "big")
        shape = {25: (5, 10), 26: (8, 23)}.get(info)
        return Float(widen(bits, *shape) if shape else bits), at + size
    argument = info
    if info >= 24:
        size = {24: 1, 25: 2, 26: 4, 27: 8}[info]
        argument = int.from_bytes(data[at : at + size], "big")
        at += size
    if major == 0:
        return argument, at
    if major == 1:
        return -1 - argument, at
    if major in (2, 3):
        content = bytes(data[at : at + argument])
        return (content if major == 2 else content.decode("utf-8")), at + argument
    if major == 4:
        items = []
        for _ in range(argument):
            item, at = decode_item(data, at)
            items.append(item)
        return items, at
    if major == 5:
        entries = []
        for _ in range(argument):
            key, at = decode_item(data, at)
            item, at = decode_item(data, at)
            entries.append((key, item))
        return Map(entries), at
    item, at = decode_item(data, at)
    return Tag(argument, item), at


# Digest

M = 2**61 - 1
P = 0x1E3779B97F4A7C15
LONG_TEXT = 4096


def xxh3(data):
    return xxhash.xxh3_64_intdigest(data, seed=0)


def combine(kind, count, total):
    """XXH3-64 of 17 bytes: kind, count and sum."""
    return xxh3(struct.pack("<BQQ", kind, count, total))


def sequence(terms):
    """The sum of terms times falling powers of P, modulo M."""
    count = len(terms)
    return sum(term % M * pow(P, count - 1 - i, M) for i, term in enumerate(terms)) % M


def digest(value):
    """The 64-bit digest of a value."""
    if isinstance(value, list):
        return combine(4, len(value), sequence([digest(item) for item in value]))
    if isinstance(value, Map):
        total = sum(
            xxh3(encode(key) + struct.pack("<Q", digest(item))) for key, item in value.entries
        )
        return combine(5, len(value.entries), total % 2**64)
    if isinstance(value, Tag):
        return combine(6, 2, sequence([digest(value.number), digest(value.item)]))
    if isinstance(value, str):
        utf8 = value.encode("utf-8")
        if len(utf8) > LONG_TEXT:
            return combine(3, len(utf8), sequence([byte + 1 for byte in utf8]))
    return xxh3(encode(value))


# Deltas


def apply(value, delta):
    """The value after the changes of a decoded delta."""
    for change in delta:
        value = apply_change(value, change[0], change[1], change[2:])
    return value


def apply_change(value, kind, path, rest):
    if kind == 0 and not path:
        return rest[0]
    if path and (len(path) > 1 or kind > 1):
        return replaced(value, path[0], lambda part: apply_change(part, kind, path[1:], rest))
    if kind == 0:
        return replaced(value, path[0], lambda _: rest[0], insert=True)
    if kind == 1:
        key = encode(path[0])
        kept = [(k, v) for k, v in value.entries if encode(k) != key]
        if len(kept) == len(value.entries):
            raise ValueError("no such entry to remove")
        return Map(kept)
    if kind == 2:
        index, removed, items = rest
        if index + removed > len(value):
            raise ValueError("a splice beyond the array")
        return value[:index] + items + value[index + removed :]
    if kind == 3:
        source, target = rest
        moved = value[:source] + value[source + 1 :]
        return moved[:target] + [value[source]] + moved[target:]
    if kind == 4:
        offset, removed, text = rest
        utf8 = value.encode("utf-8")
        spliced = utf8[:offset] + text.encode("utf-8") + utf8[offset + removed :]
        return spliced.decode("utf-8")
    raise ValueError(f"no change has kind {kind}")


def replaced(value, element, change, insert=False):
    """The container with `change` done to one of its parts."""
    if isinstance(value, list):
        return value[:element] + [change(value[element])] + value[element + 1 :]
    key = encode(element)
    entries, found = [], False
    for k, v in value.entries:
        if encode(k) == key:
            found = True
            v = change(v)
        entries.append((k, v))
    if not found:
        if not insert:
            raise ValueError("no such entry to change")
        entries.append((element, change(None)))
    return Map(entries)


# Notation: a value in JSON, for the vectors file


def notation(value):
    """A value in the vectors file's own JSON notation."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {"integer": str(value)}
    if isinstance(value, Float):
        return {"float": f"{value.bits:016x}"}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, list):
        return {"array": [notation(item) for item in value]}
    if isinstance(value, Map):
        return {"map": [[notation(key), notation(item)] for key, item in value.entries]}
    return {"tag": [str(value.number), notation(value.item)]}
