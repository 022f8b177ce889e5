"""How a clip moves at its first or last frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from animato.character import Limits
from animato.fix.joining.tracks.track import TrackState
from animato.mechanics.limits import free_ends
from animato.motion import Clip

REACH = 30
"""Frames from an end beyond which nothing that happens at the end is felt in the spline."""

LIVELY_S = 10.0
"""How far from an end a clip is looked at for how lively it is [s]."""


class ClipEnd:
    """The first or the last frame of a clip with its derivatives.

    They are those of the clip's spline; where only its ends break a limit, those of the calmest curve through the same
    frames (see `mechanics.limits.free_ends`), which is how limits are checked, too.
    """

    def __init__(self, clip: Clip, *, last: bool, limits: Mapping[str, Limits]) -> None:
        """For one end of a clip.

        Args:
            clip: Whose end.
            last: Whether its last frame is meant.
            limits: By coordinate, of those that are their own degree of freedom.
        """
        self.clip, self.last, self._limits = clip, last, limits
        self.frame = clip.frame_count - 1 if last else 0
        self.time = float(clip.times[self.frame])

    def with_base_of(self, clip: Clip) -> ClipEnd:
        """This end of a clip with the same joints and another base."""
        other = ClipEnd(clip, last=self.last, limits=self._limits)
        other.__dict__["_derivatives"] = self._derivatives  # of joints: known, and not asked for again
        return other

    @cached_property
    def near(self) -> Clip:
        """The frames near this end."""
        return self.clip.part(slice(-REACH, None) if self.last else slice(0, REACH))

    @cached_property
    def _derivatives(self) -> np.ndarray:
        """Of all coordinates, [order, coordinate]."""
        moment = [self.time]
        found = np.array([self.clip.spline(moment, derivative=n, from_left=self.last)[0] for n in range(4)])
        found[0] = self.clip.positions[self.frame]
        for end in free_ends(self.near, self._limits):
            found[1:3, self.clip.column(end.name)] += [end.at(np.array(moment), n)[0] for n in (1, 2)]
        return found

    def state(self, name: str) -> TrackState:
        """Of one coordinate."""
        return TrackState(*(float(one) for one in self._derivatives[:3, self.clip.column(name)]))

    def taylor(self, names: Sequence[str]) -> np.ndarray:
        """Coordinates and their first three derivatives, [4, coordinate]."""
        return self._derivatives[:, [self.clip.column(name) for name in names]]

    def base_taylor(self) -> np.ndarray:
        """x, y, z and quaternion of the base with their first three derivatives, [4, 7]."""
        spline = self.clip.base_spline
        assert spline is not None  # asked only of clips that move the base
        return np.array([spline([self.time], derivative=n, from_left=self.last)[0] for n in range(4)])

    @cached_property
    def _lively_part(self) -> Clip:
        times = self.clip.times
        if self.last:
            return self.clip.part(slice(int(np.searchsorted(times, times[-1] - LIVELY_S)), None))
        return self.clip.part(slice(0, int(np.searchsorted(times, times[0] + LIVELY_S, side="right"))))

    @cached_property
    def _orders(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        part = self._lively_part
        return part.velocity(), part.acceleration(), part.jerk()

    def magnitudes(self, names: Sequence[str]) -> np.ndarray:
        """Lengths of the first three derivatives of coordinates taken together, within 10 s of the end, [frame, 3]."""
        columns = [self.clip.column(name) for name in names]
        return np.column_stack([np.linalg.norm(one[:, columns], axis=1) for one in self._orders])

    def base_magnitudes(self, columns: slice) -> np.ndarray:
        """The same of columns of x, y, z and quaternion of the base, [frame, 3]."""
        part = self._lively_part
        spline, times = part.base_spline, part.times
        assert spline is not None  # asked only of clips that move the base
        orders = (spline(times, derivative=1), spline(times, derivative=2), spline.third_derivative(times))
        return np.column_stack([np.linalg.norm(one[:, columns], axis=1) for one in orders])
