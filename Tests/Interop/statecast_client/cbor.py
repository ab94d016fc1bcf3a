"""The one form of CBOR that Statecast speaks: a strict encoder and decoder.

cbor2 does not do: its canonical form sorts map keys by length first, it takes duplicate keys, and
it turns tags and NaNs into objects that do not come back bit by bit.

A value is None, bool, int, float, NaN, bytes, str, list, Map or Tag. Containers that were decoded
are never changed afterwards: a delta makes new ones, so that all of it can be refused.
"""

import struct
from dataclasses import dataclass

MAXIMUM_DEPTH = 256


class Malformed(ValueError):
    """Bytes that are not CBOR in the one form."""


@dataclass(frozen=True)
class NaN:
    """A NaN by its 64 bits: two NaNs with different payloads are different values."""

    bits: int


@dataclass(frozen=True)
class Tag:
    """A tagged item."""

    number: int
    item: object


class Array(list):
    """An array that has room for what digest.py works out about it."""

    __slots__ = ("total",)


class Text(str):
    """A text that has room for what digest.py works out about it."""

    __slots__ = ("total",)


class Map:
    """A map by the encodings of its keys: to a dict 1, 1.0 and True would be one key."""

    __slots__ = ("entries", "total")

    def __init__(self, entries):
        self.entries = entries

    def get(self, key, default=None):
        return self.entries.get(encode(key), default)

    def __getitem__(self, key):
        return self.entries[encode(key)]

    def __contains__(self, key):
        return encode(key) in self.entries

    def __len__(self):
        return len(self.entries)

    def items(self):
        """Keys and values in the order of the wire."""
        return [(decode(key), self.entries[key]) for key in sorted(self.entries)]

    def __repr__(self):
        return "{" + ", ".join(f"{key!r}: {value!r}" for key, value in self.items()) + "}"


def encode(value):
    """The one encoding of a value; a dict is taken for a map, too."""
    parts = []
    write(value, parts.append)
    return b"".join(parts)


def head(major, argument):
    """A major type with its argument in the shortest form."""
    if argument < 24:
        return bytes((major << 5 | argument,))
    if argument < 0x100:
        return bytes((major << 5 | 24, argument))
    for info, size in ((25, 2), (26, 4), (27, 8)):
        if argument < 1 << 8 * size:
            return bytes((major << 5 | info,)) + argument.to_bytes(size, "big")
    raise Malformed("a number beyond 64 bits")


def write(value, put):
    if isinstance(value, str):
        utf8 = value.encode("utf-8")
        put(head(3, len(utf8)))
        put(utf8)
    elif value is None:
        put(b"\xf6")
    elif isinstance(value, bool):
        put(b"\xf5" if value else b"\xf4")
    elif isinstance(value, int):
        put(head(0, value) if value >= 0 else head(1, -1 - value))
    elif isinstance(value, Map):
        put(head(5, len(value.entries)))
        for key in sorted(value.entries):
            put(key)
            write(value.entries[key], put)
    elif isinstance(value, dict):
        write(Map({encode(key): item for key, item in value.items()}), put)
    elif isinstance(value, (list, tuple)):
        put(head(4, len(value)))
        for item in value:
            write(item, put)
    elif isinstance(value, (bytes, bytearray)):
        put(head(2, len(value)))
        put(bytes(value))
    elif isinstance(value, (float, NaN)):
        put(encode_float(value))
    elif isinstance(value, Tag):
        put(head(6, value.number))
        write(value.item, put)
    else:
        raise TypeError(f"nothing on the wire is a {type(value).__name__}: {value!r}")


# Sign, exponent and payload of a NaN in 16 and 32 bits: the first byte, the size, and by how many
# bits the fraction is shorter than that of 64 bits.
NARROW = ((0xF9, 2, 42), (0xFA, 4, 29))


def encode_float(value):
    if isinstance(value, float):
        if value == value:
            for first, form in ((b"\xf9", ">e"), (b"\xfa", ">f")):
                try:
                    packed = struct.pack(form, value)
                except OverflowError:
                    continue
                if struct.unpack(form, packed)[0] == value:
                    return first + packed
            return b"\xfb" + struct.pack(">d", value)
        value = NaN(int.from_bytes(struct.pack(">d", value), "big"))
    sign, fraction = value.bits >> 63, value.bits & (1 << 52) - 1
    for first, size, shorter in NARROW:
        if fraction & (1 << shorter) - 1 == 0:
            width = 8 * size
            ones = (1 << width - 1) - (1 << 52 - shorter)
            bits = sign << width - 1 | ones | fraction >> shorter
            return bytes((first,)) + bits.to_bytes(size, "big")
    return b"\xfb" + value.bits.to_bytes(8, "big")


def decode(data):
    """The value that exactly these bytes encode."""
    data = bytes(data)
    try:
        value, end = read(data, 0, 0)
    except IndexError:
        raise Malformed("the item ends early") from None
    if end != len(data):
        raise Malformed(f"{len(data) - end} bytes follow the item")
    return value


def read(data, at, depth):
    """The item at an offset, and the offset after it. `depth` is that of the containers around."""
    first = data[at]
    major, info = first >> 5, first & 31
    at += 1
    if major == 7:
        return read_simple(data, at, info)
    argument = info
    if info >= 24:
        if info > 27:
            raise Malformed(f"the head {first:02x} has no definite length")
        size = 1 << info - 24
        argument = int.from_bytes(data[at : at + size], "big")
        at += size
        if at > len(data):
            raise Malformed("the item ends early")
        if argument < (24 if size == 1 else 1 << 4 * size):
            raise Malformed("a head is longer than it need be")
    if major == 0:
        return argument, at
    if major == 1:
        return -1 - argument, at
    if major <= 3:
        end = at + argument
        if end > len(data):
            raise Malformed("the item ends early")
        if major == 2:
            return data[at:end], end
        try:
            return Text(data[at:end], "utf-8"), end
        except UnicodeDecodeError:
            raise Malformed("a text that is not UTF-8") from None
    depth += 1
    if depth > MAXIMUM_DEPTH:
        raise Malformed(f"nested deeper than {MAXIMUM_DEPTH}")
    if major == 4:
        items = Array()
        for _ in range(argument):
            item, at = read(data, at, depth)
            items.append(item)
        return items, at
    if major == 5:
        entries, previous = {}, b""
        for _ in range(argument):
            _, end = read(data, at, depth)
            key = data[at:end]
            if key <= previous:
                raise Malformed("map keys out of order, or one twice")
            entries[key], at = read(data, end, depth)
            previous = key
        return Map(entries), at
    item, at = read(data, at, depth)
    return Tag(argument, item), at


def read_simple(data, at, info):
    if info == 22:
        return None, at
    if info in (20, 21):
        return info == 21, at
    if info not in (25, 26, 27):
        raise Malformed(f"the simple value {info} is none of ours")
    size = 1 << info - 24
    packed = data[at : at + size]
    if len(packed) < size:
        raise Malformed("the item ends early")
    value = struct.unpack({2: ">e", 4: ">f", 8: ">d"}[size], packed)[0]
    if value != value:
        shorter = {2: 42, 4: 29, 8: 0}[size]
        bits = int.from_bytes(packed, "big")
        fraction = (bits & (1 << 52 - shorter) - 1) << shorter
        value = NaN((bits >> 8 * size - 1) << 63 | 0x7FF << 52 | fraction)
    if encode_float(value) != data[at - 1 : at + size]:
        raise Malformed("a float is longer than it need be")
    return value, at + size
