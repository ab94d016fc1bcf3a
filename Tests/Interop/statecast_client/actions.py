"""The actions of a session: their numbers, what is to be sent, and what became of them.

No sockets, no clock. An action keeps its number and its bytes until it has an outcome, however
often it is sent; that is what makes it happen once.
"""

from dataclasses import dataclass

from .cbor import encode

# Refusals that pass: the same bytes are sent again. Others can only be given up.
PASSING = ("busy", "no-space", "retry", "out-of-order")
ROOM_FOR_THE_REST = 256


@dataclass
class Outcome:
    """What became of an action. The code `unknown` is this client's own: nobody can tell."""

    code: str
    commit: int | None = None
    text: str = ""
    path: object = ()


@dataclass(eq=False)
class Action:
    """An entry with its number; `outcome` is None until it is known."""

    entry: list
    number: int
    size: int
    is_sent: bool = False
    outcome: Outcome | None = None


class Actions:
    def __init__(self):
        self.waiting = []
        self.last = 0

    @property
    def acked(self):
        """Up to which number all outcomes have arrived."""
        return self.waiting[0].number - 1 if self.waiting else self.last

    def add(self, entry):
        self.last += 1
        action = Action(entry, self.last, len(encode(entry)))
        self.waiting.append(action)
        return action

    def batch(self, limits):
        """The actions of the next request: in order, as many as it may carry."""
        room = limits.get("request", 1 << 20) - ROOM_FOR_THE_REST
        most = min(limits.get("entries", 256), limits.get("window", 256))
        chosen = []
        for action in self.waiting[:most]:
            room -= action.size + 9
            if room < 0:
                break
            chosen.append(action)
        if not chosen and self.waiting:
            # Alone too large: the daemon would say so, but every later one would wait for it.
            return self.waiting[:1]
        return chosen

    def take(self, reply):
        """Takes the outcomes of a reply. False if one is refused: wait, or give up `stuck`."""
        last = reply.get("last", 0)
        by_number = {action.number: action for action in self.waiting}
        is_through, self.stuck = True, None
        for number, code, *rest in reply.get("outcomes") or []:
            action = by_number.get(number)
            if not action:
                continue
            if number <= last:
                action.outcome = action.outcome or Outcome(code, *rest)
                continue
            is_through = False
            if number == last + 1 and code not in PASSING:
                action.outcome, self.stuck = Outcome(code, *rest), action
        stuck = self.stuck
        self.waiting = [each for each in self.waiting if not each.outcome or each is stuck]
        return is_through

    def resume(self, last):
        """A session that was named, not made: its numbers go on after those that it has used."""
        if not self.waiting:
            self.last = max(self.last, last)

    def start_over(self):
        """A new session takes along only what was never sent: the rest may have been done."""
        waiting, self.waiting, self.last = self.waiting, [], 0
        for action in waiting:
            if action.is_sent:
                action.outcome = action.outcome or Outcome("unknown")
            else:
                self.last += 1
                action.number = self.last
                self.waiting.append(action)
