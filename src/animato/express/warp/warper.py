"""A clip performed live while an end-point faces whatever it is told to."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.errors import MotionError, OptionError, unknown_name
from animato.express.facing import ErrorWeights, Roll, checked_weights, weights_of
from animato.express.filter import TIME_OPTIMAL, MotionFilter
from animato.express.warp.following import SETTLE_S, FacingFollower
from animato.mechanics.tree import build_chain
from animato.motion import Clip
from animato.spatial import quaternions


class Warper:
    """Performs a clip live while an end-point faces whatever it is told to.

    Args:
        character: Whose clip it is.
        clip: Its coordinates must exist in the character. Joints of the chain that it does not name are neutral.
        end_point: What faces.
        rate_hz: Of the commands [Hz]; a number where there is a filter.
        filter: Whether commands pass the motion filter, which keeps velocity, acceleration and jerk limits as well.
        smoothness: Of the motion filter, 0 to 1.
        responsiveness: Of the motion filter, 0 to 1.
        settle_s: Time in which a warp that is not needed any more goes away [s].
        roll: Whether the roll about the facing axis is exact or free, or a tolerance either way [rad].
        weights: Of the errors; the paper's where not given.

    Attributes:
        chain: The joints that are warped, and the end-point.
        names: Coordinates in the order that `step` gives them: the clip's, then those of the chain it does not name.
        wanted: Of the chain at the last step, before the filter [rad or m], [n].
        weights: Of the errors.
        roll_tolerance: Turn about the facing axis that costs nothing, either way [rad].
        held: Whether the last target was not a quaternion, so that the one before it holds.
    """

    def __init__(
        self,
        character: Character,
        clip: Clip,
        end_point: str,
        *,
        rate_hz: float,
        filter: bool = True,
        smoothness: ArrayLike = TIME_OPTIMAL,
        responsiveness: ArrayLike | None = None,
        settle_s: float = SETTLE_S,
        roll: Roll = "exact",
        weights: ErrorWeights | None = None,
    ) -> None:
        for name in clip.names:
            if name not in character.coordinate_names:
                raise unknown_name("coordinate", name, character.coordinate_names, character.name)
        if clip.has_base and not character.floats:
            raise MotionError(f"The clip moves the base of '{character.name}', which stands on the ground.")
        if not (np.isfinite(settle_s) and settle_s >= 0.0):
            raise OptionError(f"`settle_s` must be a number, 0 or more, not {settle_s}.")
        self.chain = build_chain(character, end_point)
        self.weights = checked_weights(weights or weights_of(self.chain))
        missing = tuple(name for name in self.chain.names if name not in clip.names)
        self.names = clip.names + missing
        neutral = {
            name: value
            for joint in character.free_joints
            for name, value in zip(joint.coordinate_names, joint.neutral, strict=True)
        }
        self._clip, self._missing = clip, np.array([neutral[name] for name in missing])
        self._columns = [self.names.index(name) for name in self.chain.names]
        self._follower = FacingFollower(self.chain, self.weights, settle_s=float(settle_s), roll=roll)
        self.roll_tolerance = self._follower.roll_tolerance
        self._filter: MotionFilter | None = None
        if filter:
            self._filter = MotionFilter(
                self.chain.limits, rate_hz, smoothness=smoothness, responsiveness=responsiveness
            )
        self._last: float | None = None
        self._target: np.ndarray | None = None
        self.held = False
        self.wanted = np.zeros(len(self.chain.names))

    def step(self, time: float, target_wxyz: ArrayLike) -> np.ndarray:
        """Makes the next command. Never raises on values: what is not a number leaves the last good one in place.

        Args:
            time: In the clip [s]; before its start and after its end the clip holds. With a filter, steps should
                come at its rate.
            target_wxyz: Orientation asked of the end-point, in the world, [4]. Until one is good, the clip is
                not warped.

        Returns:
            Positions of `names` [rad or m]; those of the chain are within limits.
        """
        moment = float(time)
        if not np.isfinite(moment):
            moment = self._clip.times[0] if self._last is None else self._last
        row = self.unwarped(np.array([moment]))[0]
        posture = row[self._columns]
        self._take(target_wxyz)
        first = self._last is None
        elapsed = 0.0 if self._last is None else abs(moment - self._last)
        self._last = moment
        if self._target is None:
            self.wanted = np.clip(posture, self.chain.arrays.lower, self.chain.arrays.upper)
        else:
            self.wanted = self._follower.step(posture, self.in_base(self._target, moment), elapsed)
        command = self.wanted
        if self._filter is not None:
            if first:
                self._filter.reset(self.wanted)
            else:
                command = self._filter.step(self.wanted)
        row[self._columns] = command
        return row

    def unwarped(self, times: np.ndarray) -> np.ndarray:
        """What the clip itself does [rad or m], [time, names]."""
        rows = self._clip.spline(times)
        return np.hstack([rows, np.broadcast_to(self._missing, (len(rows), len(self._missing)))])

    def in_base(self, target_wxyz: np.ndarray, time: float) -> np.ndarray:
        """A target of the world as the root body sees it, for clips that move the root, [4]."""
        spline = self._clip.base_spline
        if spline is None:
            return target_wxyz
        base = quaternions.normalized(spline(np.array([time]))[0, 3:])
        return quaternions.multiply(quaternions.conjugate(base), target_wxyz)

    def _take(self, target_wxyz: ArrayLike) -> None:
        """Remembers a target where it is one."""
        given = np.asarray(target_wxyz, dtype=np.float64)
        if given.shape != (4,):
            raise MotionError(f"A target is a quaternion of four numbers (w, x, y, z), not an array {given.shape}.")
        norm = float(np.linalg.norm(given))
        self.held = not (np.isfinite(norm) and norm > 1e-9)
        if not self.held:
            self._target = given / norm
