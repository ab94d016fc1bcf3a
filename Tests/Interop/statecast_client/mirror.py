"""One view's mirror: what it holds, and what it needs when it is wrong. No sockets, no clock."""

from .cbor import Malformed, decode
from .delta import DoesNotFit, apply
from .digest import digest
from .wire import BEAT, PULL, topic

# What a mirror needs, the stronger ones last.
REPLAY, SNAPSHOT, REJOIN = "replay", "snapshot", "rejoin"
REPLAYS_IN_VAIN = 2


class Mirror:
    """A view with its parameters; exact unless `stale` says why not."""

    def __init__(self, view, parameters=None):
        self.view = view
        self.parameters = parameters
        self.topic = topic(view, parameters)
        self.value = None
        self.number = None
        self.digest = None
        self.lineage = None
        self.epoch = None
        self.stale = "not joined"
        self.refusal = None
        self.need = None
        self.held = []
        self.held_bytes = 0
        self.most_held_bytes = 8 << 20
        self.drops = 0
        self.deltas_checked = 0
        self.replays = 0

    @property
    def position(self):
        """Where to resume from; None: nothing is held that could be continued."""
        if self.number is None:
            return None
        return [self.lineage, self.epoch, self.number, self.digest]

    def offer(self, publication):
        """Takes a publication: applies it, drops it, or holds it until what is needed has come."""
        if self.stale == "not joined" or self.need:
            return self.hold(publication)
        if publication.lineage != self.lineage or publication.epoch != self.epoch:
            return self.wants(REJOIN, "another epoch")
        if publication.end < self.number:
            return None
        if publication.flags & BEAT:
            if publication.end > self.number:
                return self.wants(REPLAY, "behind")
            if publication.digest != self.digest:
                return self.wants(SNAPSHOT, "another digest")
            return None
        if publication.end == self.number:
            return None
        if publication.start > self.number:
            self.hold(publication)
            return self.wants(REPLAY, "a gap")
        if publication.start < self.number:
            return self.wants(SNAPSHOT, "a publication that overlaps")
        if publication.flags & PULL:
            return self.wants(REPLAY, "a publication to fetch")
        try:
            value = apply(self.value, decode(publication.payload))
        except (Malformed, DoesNotFit) as problem:
            return self.wants(SNAPSHOT, f"a delta that does not fit: {problem}")
        if digest(value) != publication.digest:
            return self.wants(SNAPSHOT, "another digest after a delta")
        self.value, self.number, self.digest = value, publication.end, publication.digest
        self.deltas_checked += 1
        return None

    def hold(self, publication):
        self.held.append(publication)
        self.held_bytes += len(publication.payload)
        if self.held_bytes > self.most_held_bytes:
            # What is lost with them is a gap like any other: the next beat or delta shows it.
            self.held, self.held_bytes = [], 0
            self.drops += 1
        return None

    def wants(self, need, why):
        if need == REPLAY:
            if self.replays >= REPLAYS_IN_VAIN:
                need = SNAPSHOT
            self.replays += 1
        self.need, self.stale = need, why
        return need

    def join_again(self):
        """Holds what comes from now on: a hello with the position is under way."""
        self.stale, self.need = "not joined", None
        self.held, self.held_bytes = [], 0

    def take(self, answer, lineage, epoch, fetch):
        """Takes the daemon's answer for this view. `fetch` gets a large value's bytes."""
        if answer.kind == "refused":
            self.refusal = tuple(answer.rest)
            self.stale, self.need, self.number = "refused", None, None
            return
        try:
            if answer.kind == "resume":
                value = self.value
                for delta in answer.rest[0]:
                    value = apply(value, decode(delta))
            elif answer.kind == "snapshot":
                value = decode(answer.rest[0])
            elif answer.kind == "pull":
                value = decode(fetch(*answer.rest[:2]))
            else:
                raise Malformed(f"an answer of the kind {answer.kind!r}")
            if digest(value) != answer.digest:
                raise DoesNotFit("another digest")
        except (Malformed, DoesNotFit) as problem:
            self.wants(SNAPSHOT, f"an answer that does not fit: {problem}")
            return
        self.value, self.number, self.digest = value, answer.number, answer.digest
        self.lineage, self.epoch = lineage, epoch
        self.stale = self.need = self.refusal = None
        held, self.held, self.held_bytes = self.held, [], 0
        for place, publication in enumerate(held):
            # A join that was overtaken by a restart holds publications of the run before.
            of_this_run = (publication.lineage, publication.epoch) == (lineage, epoch)
            if of_this_run and self.offer(publication):
                for rest in held[place + 1 :]:
                    self.hold(rest)
                return
        self.replays = 0
        if answer.kind == "pull":
            # The daemon keeps large values for a while: this one may be some commits old.
            self.wants(REPLAY, "fetched")
