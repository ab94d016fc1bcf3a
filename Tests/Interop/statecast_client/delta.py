"""Applying deltas: all changes or none, on values that share what did not change."""

from .cbor import Array, Map, Text, encode
from .digest import byte_term, digest, entry_term, power, spliced, M

SET, REMOVE, SPLICE, MOVE, EDIT = range(5)


class DoesNotFit(ValueError):
    """A delta that was not made for this value: the mirror is wrong."""


def apply(value, delta):
    """The value after a decoded delta; the old one stays as it is, whatever happens."""
    if not isinstance(delta, list):
        raise DoesNotFit("a delta is an array of changes")
    for change in delta:
        try:
            kind, path, *rest = change
            if not isinstance(path, list):
                raise DoesNotFit("a path is an array")
            value = changed(value, kind, path, 0, rest)
        except DoesNotFit:
            raise
        except (TypeError, ValueError, AttributeError) as problem:
            raise DoesNotFit(f"{change!r}: {problem}") from problem
    return value


def changed(value, kind, path, depth, rest):
    if depth < len(path) - (kind == SET or kind == REMOVE):
        part = child(value, path[depth])
        return with_child(value, path[depth], changed(part, kind, path, depth + 1, rest))
    if kind == SET:
        (item,) = rest
        return item if not path else with_child(value, path[depth], item)
    if kind == REMOVE:
        expect(len(path) > 0 and not rest, "a removal names an entry")
        return without_entry(value, path[depth])
    if kind == SPLICE:
        return with_splice(value, *rest)
    if kind == MOVE:
        return with_move(value, *rest)
    if kind == EDIT:
        return with_edit(value, *rest)
    raise DoesNotFit(f"no change has kind {kind!r}")


def expect(condition, otherwise):
    if not condition:
        raise DoesNotFit(otherwise)


def is_index(number, limit):
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < limit


def child(value, element):
    if isinstance(value, Map):
        key = encode(element)
        expect(key in value.entries, f"no entry {element!r}")
        return value.entries[key]
    expect(isinstance(value, list), f"{element!r} steps into what has no parts")
    expect(is_index(element, len(value)), f"no element {element!r}")
    return value[element]


def with_child(value, element, item):
    """A copy with one part replaced, or for a map set; its sum follows if it was known."""
    if isinstance(value, Map):
        key = encode(element)
        copy = Map(dict(value.entries))
        copy.entries[key] = item
        if hasattr(value, "total"):
            old = entry_term(key, value.entries[key]) if key in value.entries else 0
            copy.total = (value.total - old + entry_term(key, item)) % 2**64
        return copy
    old = child(value, element)
    copy = Array(value)
    copy[element] = item
    if hasattr(value, "total"):
        difference = digest(item) - digest(old)
        copy.total = (value.total + difference * power(len(value) - 1 - element)) % M
    return copy


def without_entry(value, element):
    expect(isinstance(value, Map), "only a map's entry can be removed")
    key = encode(element)
    expect(key in value.entries, f"no entry {element!r} to remove")
    copy = Map(dict(value.entries))
    item = copy.entries.pop(key)
    if hasattr(value, "total"):
        copy.total = (value.total - entry_term(key, item)) % 2**64
    return copy


def with_splice(value, index, removed, items):
    expect(isinstance(value, list) and isinstance(items, list), "only an array can be spliced")
    expect(is_index(index, len(value) + 1), f"no place {index!r}")
    expect(is_index(removed, len(value) - index + 1), f"cannot remove {removed!r}")
    copy = Array(value[:index] + items + value[index + removed :])
    if hasattr(value, "total"):
        copy.total = spliced(value.total, value, index, removed, items, digest)
    return copy


def with_move(value, source, target):
    expect(isinstance(value, list), "only an array's element can be moved")
    expect(is_index(source, len(value)), f"no element {source!r}")
    expect(is_index(target, len(value)), f"no place {target!r}")
    return with_splice(with_splice(value, source, 1, []), target, 0, [value[source]])


def with_edit(value, offset, removed, text):
    expect(isinstance(value, str) and isinstance(text, str), "only a text can be edited")
    before, inserted = value.encode("utf-8"), text.encode("utf-8")
    expect(is_index(offset, len(before) + 1), f"no place {offset!r}")
    expect(is_index(removed, len(before) - offset + 1), f"cannot remove {removed!r}")
    for place in (offset, offset + removed):
        on_boundary = place == len(before) or before[place] & 0xC0 != 0x80
        expect(on_boundary, f"{place} is inside a character")
    copy = Text(before[:offset] + inserted + before[offset + removed :], "utf-8")
    if hasattr(value, "total"):
        copy.total = spliced(value.total, before, offset, removed, inserted, byte_term)
    return copy
