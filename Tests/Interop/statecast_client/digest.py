"""Digests of values, kept up to date at the cost of a change.

The sums of long texts, arrays and maps are remembered with them. A changed copy gets its sum from
the old one's and the shorter part beside the change; see `spliced`.
"""

from functools import lru_cache

import xxhash

from .cbor import Array, Map, Tag, Text, encode

M = 2**61 - 1
P = 0x1E3779B97F4A7C15
LONGEST_LEAF_TEXT = 4096


def xxh3(data):
    return xxhash.xxh3_64_intdigest(data, seed=0)


def combine(kind, count, total):
    """XXH3 of 17 bytes: what kind, how many, and their sum."""
    return xxh3(bytes((kind,)) + count.to_bytes(8, "little") + total.to_bytes(8, "little"))


def digest(value):
    """The 64 bits of a value."""
    if isinstance(value, str):
        if len(value) * 4 > LONGEST_LEAF_TEXT:
            size = len(value.encode("utf-8"))
            if size > LONGEST_LEAF_TEXT:
                return combine(3, size, text_total(value))
    elif isinstance(value, list):
        return combine(4, len(value), array_total(value))
    elif isinstance(value, Map):
        return combine(5, len(value), map_total(value))
    elif isinstance(value, Tag):
        return combine(6, 2, horner((digest(value.number), digest(value.item))))
    return xxh3(encode(value))


def horner(terms):
    """The sum of the terms times falling powers of P; the last one times 1."""
    total = 0
    for term in terms:
        total = (total * P + term) % M
    return total


@lru_cache(maxsize=4096)
def power(exponent):
    """P to any exponent, below zero too: M is prime."""
    return pow(P, exponent, M)


def text_total(text):
    total = getattr(text, "total", None)
    if total is None:
        total = horner(byte + 1 for byte in text.encode("utf-8"))
        if isinstance(text, Text):
            text.total = total
    return total


def array_total(array):
    total = getattr(array, "total", None)
    if total is None:
        total = horner(map(digest, array))
        if isinstance(array, Array):
            array.total = total
    return total


def map_total(value):
    total = getattr(value, "total", None)
    if total is None:
        total = sum(entry_term(key, item) for key, item in value.entries.items()) % 2**64
        value.total = total
    return total


def entry_term(key, item):
    return xxh3(key + digest(item).to_bytes(8, "little"))


def spliced(total, before, index, removed, inserted, term):
    """The sum after `removed` elements at `index` of `before` made way for `inserted` ones.

    With n elements, of which t come after the removed ones, the sum is A·P^(n-index) + R·P^t + T
    (what comes before, what is removed, what comes after). Only the shorter of A and T is added up.
    """
    after = len(before) - index - removed
    gone = horner(map(term, before[index : index + removed]))
    new = horner(map(term, inserted))
    if index < after:
        ahead = horner(map(term, before[:index]))
        behind = total - ahead * power(len(before) - index) - gone * power(after)
    else:
        behind = horner(map(term, before[len(before) - after :]))
        ahead = (total - gone * power(after) - behind) * power(index - len(before))
    return (ahead * power(after + len(inserted)) + new * power(after) + behind) % M


def byte_term(byte):
    return byte + 1
