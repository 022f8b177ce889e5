"""Whom to ask next: servos take turns, as many at a time as there is time for, and a silent one is asked alone."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence

LATE_S = 0.025
"""An answer that did not come in this time will not come [s]; USB adapters keep answers for up to 16 ms."""

_TIMES, _SLACK_S, _FADING = 3.0, 0.004, 0.9
"""Where all answers came sooner of late, one is given up sooner: after three times their time and some slack [s]."""

_SMOOTHING = 0.2
"""The time for questions differs from frame to frame; how many fit is smoothed by this share."""


class Round:
    """Turns of asking. Knows no protocol: it says whom to ask, and is told who answered.

    On a bus where servos answer one after the other, a silent one keeps those behind it from answering; so only the
    first that is missing is suspected, and suspects are asked alone.

    Args:
        ids: Of the servos.

    Attributes:
        waiting: Those who were asked and have not answered yet.
        unanswered: How often each was asked in vain, in a row.
        lost: Questions to which somebody did not answer, and who was asked again.
        polls_a_round: Calls of `next` in which every servo answers once, as long as all is well.
    """

    def __init__(self, ids: Sequence[int]) -> None:
        self._line: deque[int] = deque(ids)
        self._suspects: deque[int] = deque()
        self.waiting: list[int] = []
        self.unanswered = dict.fromkeys(ids, 0)
        self.polls_a_round = 1
        self.lost = 0
        self._asked_s = -math.inf
        self._turn = False
        self._latency_s = LATE_S
        self._most: float | None = None
        self._calls = self._calls_an_answer = 1

    def next(self, most: int, now: float) -> list[int]:
        """Whom to ask now; nobody while answers can still come.

        Args:
            most: So many at a time.
            now: [s].
        """
        self._most = most if self._most is None else self._most + _SMOOTHING * (most - self._most)
        groups = math.ceil(len(self.unanswered) / max(1.0, self._most) - 1e-9)
        self.polls_a_round = max(1, groups) * self._calls_an_answer
        if self.waiting:
            self._calls += 1
            if now - self._asked_s < min(LATE_S, _TIMES * self._latency_s + _SLACK_S):
                return []
            self._blame()
        self._turn = not self._turn
        if self._suspects and (self._turn or not self._line):
            asked = [self._suspects.popleft()]
        else:
            asked = [self._line.popleft() for _ in range(min(most, len(self._line)))]
        self.waiting, self._asked_s, self._calls = list(asked), now, 1
        return asked

    def answered(self, id: int, now: float) -> bool:
        """Notes an answer that came at `now` [s]; False where this one was not asked."""
        if id not in self.waiting:
            return False
        self.waiting.remove(id)
        self.unanswered[id] = 0
        self._line.append(id)
        if not self.waiting:
            self._calls_an_answer = self._calls
            self._latency_s = max(now - self._asked_s, _FADING * self._latency_s)
        return True

    def begin_anew(self) -> None:
        """Nobody is waited for any more, and nobody is to blame for that."""
        self._line.extendleft(reversed(self.waiting))
        self.waiting = []

    def _blame(self) -> None:
        first, *rest = self.waiting
        self.lost += 1
        self.unanswered[first] += 1
        self._suspects.append(first)
        self._line.extendleft(reversed(rest))
        self.waiting = []


def most_at_once(budget_s: float, exchange_s: Callable[[int], float], count: int) -> int:
    """How many servos can be asked at once in a time, at least one.

    Args:
        budget_s: [s].
        exchange_s: How long a question to so many and their answers are on the wire [s].
        count: How many there are.
    """
    fitting = [number for number in range(1, count + 1) if exchange_s(number) <= budget_s]
    return max(fitting, default=1)
