"""Frames: what a client sends and reads, and the topics between them."""

from dataclasses import dataclass

import xxhash

from .cbor import Malformed, Map, decode, encode

VERSION = 1
LONGEST_PLAIN_PARAMETERS = 200
BEAT_TOPIC = b"H"
PULL, BEAT, WHOLE = 1, 2, 4


def topic(view, parameters=None):
    """The topic of a view with these parameters."""
    encoding = encode(parameters)
    if len(encoding) > LONGEST_PLAIN_PARAMETERS:
        encoding = b"\xff" + xxhash.xxh3_128(encoding, seed=0).digest()
    return b"D" + view.encode("ascii") + b"\0" + encoding


def doorbell_topic(nonce):
    return b"~" + nonce


def request_frames(kind, number, session, epoch, body):
    return [encode([VERSION, kind, number, session, epoch]), encode(body)]


def fields(frame, count):
    """The fields of a header, the version taken off; more than we know are a later version's."""
    header = decode(frame)
    if not isinstance(header, list) or not header or header[0] != VERSION:
        raise Malformed("a header of another version")
    if len(header) < count + 1:
        raise Malformed("a header that is too short")
    return header[1 : count + 1]


@dataclass
class Reply:
    code: str
    request: int
    lineage: bytes
    epoch: bytes
    commit: int
    durable: int
    oldest: int
    body: Map

    @staticmethod
    def read(frames):
        header, body = frames
        body = decode(body)
        if not isinstance(body, Map):
            raise Malformed("a body is a map")
        return Reply(*fields(header, 7), body)


@dataclass
class Publication:
    topic: bytes
    lineage: bytes
    epoch: bytes
    start: int
    end: int
    commit: int
    digest: int
    origin: int | None
    flags: int
    payload: bytes

    @staticmethod
    def read(frames):
        topic, header, payload = frames
        return Publication(topic, *fields(header, 8), payload)


@dataclass
class Beat:
    lineage: bytes
    epoch: bytes
    commit: int
    durable: int
    oldest: int
    next_beat: int

    @staticmethod
    def read(frames):
        _, beat = frames
        return Beat(*fields(beat, 6))


@dataclass
class Ring:
    nonce: bytes
    lineage: bytes
    epoch: bytes
    is_welcome: bool
    mail: int

    @staticmethod
    def read(frames):
        topic, ring = frames
        return Ring(topic[1:], *fields(ring, 4))


@dataclass
class Answer:
    """What a reply says about one view."""

    topic: bytes
    number: int
    digest: int
    kind: str
    rest: list

    @staticmethod
    def read(item):
        topic, number, value_digest, kind, *rest = item
        return Answer(topic, number, value_digest, kind, rest)
