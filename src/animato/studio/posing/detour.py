"""The other way round: where a hand is stuck although the figure could be there.

An approach goes downhill, so that it may end before a limit, or in a fold, with the wish not fulfilled: a lamp that
is led round its own axis ends at the limit of its turn, and would be there by turning the other way. What a drag
would have found at once from where it began is looked for then, and the figure walks there. Only a pose that does
fulfil the wishes is worth the walk: what is out of reach stays as near as it came.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from animato.studio.posing.approach import Approach, approached, farthest
from animato.studio.posing.figure import Figure
from animato.studio.posing.stance import Stance
from animato.studio.posing.wishes import Wish

_THERE = 3e-5  # of the size [1]: a wish that is fulfilled
_ROUNDS, _MOST_ROUNDS = 12, 60
_ARRIVED = 1e-9  # [rad, or share of the size]
_OTHER_SIDE = (0.0, -1.0, -0.5, -0.25)  # of the way from the grab to where it is stuck
_HALVED = 6  # times at most, such a way: loops may not close farther on


class Detour:
    """Looks for a pose that fulfils wishes which are not fulfilled where the figure is stuck, and walks there.

    Attributes:
        over: Whether there is nothing to look for any more, and nowhere to walk.
    """

    def __init__(self, figure: Figure, stuck: Stance, wishes: Sequence[Wish], rest: Stance) -> None:
        """Begins.

        Args:
            figure: Who is posed, with its root where it is.
            stuck: Where it does not come nearer.
            wishes: What is wished for.
            rest: Where it was at the grab.
        """
        self._figure, self._wishes, self._rest = figure, wishes, rest
        self._begins = self._elsewhere(stuck)
        self._tried: Approach | None = None
        self._rounds = 0
        self._goal: Approach | None = None
        self.over = farthest(figure, stuck, wishes) < _THERE

    @property
    def walks(self) -> bool:
        """Whether it knows where to go."""
        return self._goal is not None

    def go_on(self, here: Approach, longest: float, seconds: float) -> Approach:
        """Looks further, or walks further.

        Args:
            here: Where the figure is.
            longest: How far a joint may go [rad, or share of the size].
            seconds: Of the processor, after which it looks no further for now [s].
        """
        if self._goal is not None:
            return self._walked(here, self._goal, longest)
        if not self.over:
            self._look(seconds)
        return here

    def led_on(self, wishes: Sequence[Wish], seconds: float) -> bool:
        """Goes on for other wishes, near the ones before; whether the pose where it walks can fulfil them, too."""
        if self._goal is None:
            return False
        self._wishes = wishes
        goal = self._approached(replace(self._goal, still=False), seconds)
        self._goal = goal if farthest(self._figure, goal.stance, wishes) < _THERE else None
        return self._goal is not None

    def _look(self, seconds: float) -> None:
        """Some rounds of an approach from elsewhere."""
        if self._tried is None:
            begin = next(self._begins, None)
            if begin is None:
                self.over = True
                return
            self._tried, self._rounds = Approach(begin), 0
        self._tried = self._approached(self._tried, seconds)
        self._rounds += _ROUNDS
        if farthest(self._figure, self._tried.stance, self._wishes) < _THERE:
            self._goal = self._tried
        elif self._tried.still or self._rounds >= _MOST_ROUNDS:
            self._tried = None

    def _approached(self, begin: Approach, seconds: float) -> Approach:
        return approached(
            self._figure,
            begin,
            self._wishes,
            self._rest,
            rounds=_ROUNDS,
            longest=np.inf,
            root_held=True,
            seconds=seconds,
        )

    def _walked(self, here: Approach, goal: Approach, longest: float) -> Approach:
        """One step to the goal, all joints together."""
        unit = np.where(self._figure.lengths, self._figure.size, 1.0)
        way = self._figure.away(goal.stance, here.stance)
        share = float(np.max(np.abs(way / unit), initial=0.0)) / longest
        there = self._figure.moved(here.stance, way / max(share, 1.0))
        if there is None:  # loops do not close on the straight way
            self._goal, self.over = None, True
            return here
        left = np.abs(self._figure.away(goal.stance, there) / unit)
        if float(np.max(left, initial=0.0)) < _ARRIVED:
            self._goal, self.over = None, True
        return Approach(there, goal.damping)

    def _elsewhere(self, stuck: Stance) -> Iterator[Stance]:
        """Where to begin: at the grab, and on the other side of it."""
        back, forth = self._figure.room(self._rest)
        way = self._figure.away(stuck, self._rest)
        way[: self._figure.root_freedoms] = 0.0
        for share in _OTHER_SIDE:
            for halved in range(_HALVED):
                there = self._figure.moved(self._rest, np.clip(0.5**halved * share * way, back, forth))
                if there is not None:
                    yield there
                    break
