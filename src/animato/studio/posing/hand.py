"""A hand that has taken hold of a figure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from animato.spatial import quaternions
from animato.studio.posing.approach import Approach, approached
from animato.studio.posing.detour import Detour
from animato.studio.posing.figure import Figure
from animato.studio.posing.stance import Stance
from animato.studio.posing.standing import Pin, standing_soles
from animato.studio.posing.wishes import Wish

_PINNED = 3e3  # times as much as what the hand wishes
_STAYS = 0.3  # the same of the point about which a body is turned: joints near it turn, not the whole figure
_ROUNDS, _LAST_ROUNDS = 8, 12
_PULL_S, _LAST_S = 0.01, 0.1  # of the processor, for a pull and for the last one: the desk has other work [s]
_LONGEST = 0.4  # [rad, or share of the size] a pull: more is caught up with in the next


class Hand:
    """Pulls at one body; pins and soles stay, limits hold, and the rest stays near where it was.

    Attributes:
        stance: Where the figure is now.
        still: Whether it has come as near as it can.
    """

    def __init__(self, figure: Figure, stance: Stance, body: int, local: np.ndarray, pins: Sequence[Pin] = ()) -> None:
        """Takes hold of a point.

        Args:
            figure: Whose body it is.
            stance: Where it is now.
            body: Which body, in the character's order.
            local: Where on it [m], shape [3].
            pins: Points that stay; those on the body itself do not count.
        """
        self._figure, self._rest, self._body = figure, stance, body
        self._local = np.asarray(local, dtype=np.float64)
        pins = [*pins, *standing_soles(figure, stance)]
        places, turns = figure.bodies(stance)
        self._kept = [
            Wish(
                pin.body,
                pin.local,
                places[pin.body] + quaternions.rotate(turns[pin.body], pin.local),
                None if pin.turns else turns[pin.body],
                _PINNED,
            )
            for pin in pins
            if pin.body != body
        ]
        self._root_held = not (self._kept or figure.rides_on_root(body))
        self._begin = places[body] + quaternions.rotate(turns[body], self._local)
        self._turn = turns[body]
        self._wishes: list[Wish] = []
        self._approach = Approach(stance)
        self._detour: Detour | None = None

    @property
    def stance(self) -> Stance:
        """Where the figure is now."""
        return self._approach.stance

    @property
    def still(self) -> bool:
        """Whether it has come as near as it can."""
        return self._approach.still and (self._detour is None or self._detour.over)

    @property
    def moves(self) -> bool:
        """Whether it has wished for anything yet."""
        return bool(self._wishes)

    def pull(self, place: np.ndarray) -> Stance:
        """Pulls the point to a place in the world [m], some of the way where that is far."""
        self._wish([Wish(self._body, self._local, np.asarray(place, dtype=np.float64), yields=True)])
        return self.go_on()

    def turn(self, vector: np.ndarray) -> Stance:
        """Turns the body from how it was at the grab, by a rotation vector in the world [rad], [3]."""
        turned = quaternions.multiply(quaternions.quaternion_from_rotation_vector(vector), self._turn)
        self._wish(
            [
                Wish(self._body, self._local, None, turned, yields=True),
                Wish(self._body, self._local, self._begin, None, _STAYS),
            ]
        )
        return self.go_on()

    def go_on(self) -> Stance:
        """Comes nearer to what was wished last."""
        return self._go(_ROUNDS, _PULL_S)

    def let_go(self) -> Stance:
        """Ends where the wish leads."""
        until = time.thread_time() + _LAST_S
        while not self.still and self._wishes and (time.thread_time() < until or self._walks):
            self._go(_LAST_ROUNDS, _LAST_S)
        return self.stance

    @property
    def _walks(self) -> bool:
        """Whether it is on the way elsewhere, where nobody wants it to stay: some quick steps."""
        return self._detour is not None and self._detour.walks

    def _wish(self, wishes: list[Wish]) -> None:
        self._wishes = [*wishes, *self._kept]
        self._approach = replace(self._approach, still=False)
        if self._detour is not None and not self._detour.led_on(self._wishes, _PULL_S):
            self._detour = None

    def _go(self, rounds: int, seconds: float) -> Stance:
        """Goes on: to where it is as near as it can be, and from there the other way round where that is nearer."""
        if not self._wishes or self.still:
            return self.stance
        if self._detour is not None and (self._approach.still or self._walks):
            self._approach = self._detour.go_on(self._approach, _LONGEST, seconds)
            return self.stance
        self._approach = approached(
            self._figure,
            self._approach,
            self._wishes,
            self._rest,
            rounds=rounds,
            longest=_LONGEST,
            root_held=self._root_held,
            seconds=seconds,
        )
        if (
            self._approach.still and self._detour is None and self._root_held
        ):  # what is pinned would not stay on the way
            self._detour = Detour(self._figure, self.stance, self._wishes, self._rest)
        return self.stance
