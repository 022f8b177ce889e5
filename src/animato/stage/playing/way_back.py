"""To rest after a stop, on a way that is known to be free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.errors import AnimatoError
from animato.mechanics.collision import ALLOWED_DEPTH, deepest
from animato.motion import Clip
from animato.stage.playing.plan import Plan
from animato.stage.playing.streaming import Move, Source

_HASTE = 0.5  # of the speed at which the path was performed
_EASE_S = 0.5  # to that speed, and from it
_BACK_S = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # how far back along the path straight ways are tried from
_SAMPLES = 25
_MOST = 20_000  # moments of the path that are looked at
_NEAR = 0.02  # [rad or m]: whoever is so near to the path is on it
_DEEPER = 1e-3  # [m]: overlaps that the pose or the motion has anyway may be so much deeper


class Backwards:
    """A path that was performed, back from one of its moments to an earlier one, at half its speed.

    Args:
        path: What was performed.
        from_s: Where it stands on it [s].
        to_s: Where to, not later [s].
    """

    is_path = True

    def __init__(self, path: Source, from_s: float, to_s: float) -> None:
        self._path, self._from_s, self._length_s = path, from_s, from_s - to_s
        self._ease_s = min(_EASE_S, self._length_s / _HASTE)
        self.duration_s = self._length_s / _HASTE + self._ease_s

    def __call__(self, time_s: float) -> np.ndarray | None:
        """Where it is at a time; None after its end."""
        if time_s > self.duration_s + 1e-9:
            return None
        if self._length_s <= 0.0:
            return self._path(self._from_s)
        left = self.duration_s - time_s
        gone = self._eased(time_s) if time_s < left else self._length_s - self._eased(left)
        return self._path(self._from_s - min(max(gone, 0.0), self._length_s))

    def _eased(self, time_s: float) -> float:
        """How far it comes in a time from rest [s of the path]."""
        if time_s < self._ease_s:
            return 0.5 * _HASTE * time_s * time_s / self._ease_s
        return _HASTE * (time_s - 0.5 * self._ease_s)


def ways_to_rest(plan: Plan, stands: np.ndarray, until_s: float) -> tuple[Source, ...] | None:
    """What is streamed to come to rest: straight there, or back along the path to where straight is free.

    Bodies keep clear of one another on a way that is free, as far as the character's shapes tell; torque and balance
    are as the straight way has them at half of the limits of speed and acceleration.

    Args:
        plan: What was performed; its path is known to be free.
        stands: Where it stands [rad or m], shape [coordinate of the rig].
        until_s: How much of the plan was performed, at most [s].

    Returns:
        Sources one after the other; None where no way is known to be free.
    """
    path = plan.source()
    bearable = max(ALLOWED_DEPTH, _depth(plan, [stands]) + _DEEPER)
    if _depth(plan, _straight(plan, stands)) <= bearable:
        return (Move(plan.rig, stands, plan.rest),)
    known_s = min(until_s, path.duration_s)
    times = np.linspace(0.0, known_s, min(_MOST, max(2, round(100.0 * known_s))))
    away = [float(np.max(np.abs(_at(path, time_s) - stands), initial=0.0)) for time_s in times]
    if not away or min(away) > _NEAR:
        return None
    here_s = float(times[int(np.argmin(away))])
    for back_s in (*(one for one in _BACK_S if 0.0 < one < here_s), here_s):
        start = _at(path, here_s - back_s)
        if _depth(plan, _straight(plan, start)) <= bearable:
            return Backwards(path, here_s, here_s - back_s), Move(plan.rig, start, plan.rest)
    return None


def _at(path: Source, time_s: float) -> np.ndarray:
    values = path(time_s)
    assert values is not None  # it is asked for moments inside of it only
    return values


def _straight(plan: Plan, start: np.ndarray) -> list[np.ndarray]:
    goal = np.clip(plan.rest, plan.rig.lower, plan.rig.upper)
    return [start + share * (goal - start) for share in np.linspace(0.0, 1.0, _SAMPLES)]


def _depth(plan: Plan, poses: Sequence[np.ndarray]) -> float:
    """How deep bodies sink into one another in the worst of some poses [m]; 0 where there are no shapes to tell."""
    times = 0.02 * np.arange(len(poses))
    try:
        depths = deepest(plan.character, Clip(times, plan.rig.names, np.array(poses))).depths
    except AnimatoError:  # such as joints that are led by loops, which only a whole motion tells
        return 0.0
    return float(np.max(depths, initial=0.0))
