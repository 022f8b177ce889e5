"""The robot follows a line while it is being drawn; nothing here raises or waits."""

from __future__ import annotations

import statistics
import time

import numpy as np

from animato.character import Character
from animato.mechanics.tree import forward_kinematics, states_of_posture
from animato.motion import Posture
from animato.studio.watching import lift_of
from animato.trace import Loop

DELAY_S = 0.15
"""How far behind the hand the robot aims to be. Less makes it brake for what might come."""

_HASTE = 2.0  # [m/s] of the way to where a line begins, if limits allow
_SHARE = 0.6  # of the time that may go into following: others want to be answered, too


class Following:
    """A live loop that is fed with places in the world and asked for postures.

    Attributes:
        loop: Of `trace`.
        lags: How far the robot was behind the hand, at every moment it was looked at [s].
    """

    def __init__(self, character: Character, point: str, start: Posture | None, lift: np.ndarray | None = None) -> None:
        """Begins at rest.

        Args:
            character: The robot, with its point.
            point: What draws.
            start: Where the robot is; it travels from there to where the line begins.
            lift: How much higher the robot stands than with its root at the origin [m], [3]; not at all if not given.

        Raises:
            AnimatoError: This robot cannot follow with this point.
        """
        self.loop = Loop(
            character, point, start=start, delay_s=DELAY_S, approach_speed=_HASTE, longest_lag_s=0.6, warm=False
        )
        self._lift = np.zeros(3) if lift is None else lift
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []
        self._free_at = -np.inf
        self.lags: list[float] = []

    def add(self, places: np.ndarray, times: np.ndarray) -> None:
        """Takes what was drawn; it is planned for at the next tick.

        Args:
            places: In the world [m], [sample, 3].
            times: On the desk's clock [s], [sample].
        """
        if len(times):
            self._waiting.append((places - self._lift, times))

    def tick(self, now: float) -> Posture | None:
        """The posture at a moment [s]; None where following took so long that others come first."""
        if now < self._free_at:
            return None
        begin = time.perf_counter()
        self._plan()
        posture = self.loop.posture(now)
        if self.loop.motion.plans and not self.loop.done:
            self.lags.append(self.loop.lag_s)
        took = time.perf_counter() - begin
        self._free_at = now + took / _SHARE
        return posture

    def finish(self) -> None:
        """The pen is lifted: the robot goes to the very end."""
        self._plan()
        self.loop.finish()

    @property
    def done(self) -> bool:
        """Whether the robot rests at the end of what was drawn."""
        return self.loop.done

    @property
    def lag_s(self) -> float:
        """How far the robot was behind the hand, in the median over the last second or so [s]."""
        return statistics.median(self.lags[-60:]) if self.lags else 0.0

    def _plan(self) -> None:
        """Plans for all that came, at once."""
        if self._waiting:
            places, times = (np.concatenate(parts) for parts in zip(*self._waiting, strict=True))
            self._waiting.clear()
            self.loop.add(places, times)


def pose_arrays(character: Character, posture: Posture) -> dict[str, np.ndarray]:
    """What the message `pose` holds: `poses` [body, 7] (x, y, z, then w, x, y, z) and `coordinates` [coordinate].

    A robot that floats stands where the stage shows it.
    """
    poses = forward_kinematics(character, states_of_posture(character, posture))
    count = len(character.bodies)
    known = dict(zip(posture.names, posture.positions.tolist(), strict=True))
    coordinates = np.array([known.get(name, 0.0) for name in character.coordinate_names])
    return {
        "poses": np.hstack([poses.positions[0, :count] + lift_of(character), poses.quaternions_wxyz[0, :count]]),
        "coordinates": coordinates,
    }
