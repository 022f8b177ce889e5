"""A stretch of a clip as a problem of its own: what is around it stays."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.fix.shape.linear_limits import LinearLimits
from animato.fix.shape.mechanics import Mechanics, Motion
from animato.fix.shape.request import Request
from animato.fix.shape.sequence import SequenceOptions, Shaped, Stretch, shape_stretch
from animato.fix.shape.spline_space import SplineSpace, Stencils
from animato.fix.shape.visible import Visible

BORDER = 3
"""Control points on each side that take part and stay, so that the curve goes on."""

_BETWEEN = np.arange(1, 16) / 16.0  # of a step from frame to frame: where loads are looked at once more
_CEILING = 1.0 - 2e-4  # what loads may use: they are held at moments and looked at between them
_ENOUGH = 1e-4  # of that margin: loads that use more of it are held there as well
_LOOKS = 6


class Window:
    """Control points begin to end of a clip, which may change, and the borders around them."""

    def __init__(self, request: Request, controls: np.ndarray, begin: int, end: int, *, open_end: bool = False) -> None:
        """Prepares.

        Args:
            request: What is asked for.
            controls: Control points of the whole clip as they are now, [frame, column].
            begin: The first that may change.
            end: One after the last.
            open_end: Whether what comes after may change later, so that nothing there has to fit.
        """
        count = request.space.count
        self.request, self.begin, self.end = request, begin, end
        self.first = max(0, begin - BORDER)
        self.last = min(count, end if open_end else end + BORDER)
        self.space: SplineSpace = request.space.part(self.first, self.last)
        times = self.space.frame_times
        low = int(np.searchsorted(request.clip.times, times[0]))
        self.frames = slice(low, low + len(times))
        held = request.held[self.first : self.last].copy()
        held[: begin - self.first] = True
        held[end - self.first :] = True
        self.controls = controls[self.first : self.last].copy()
        self.moved = not np.array_equal(self.controls, request.reference[self.first : self.last])
        mechanics = request.mechanics_at(times)
        reference = request.reference[self.first : self.last]
        here = slice(0, len(times))
        wanted = Motion(here, *(self.space.at(times, order).of(reference) for order in range(3)))
        visible = Visible(
            request.point_weights[self.frames],
            request.angle_weights[self.frames],
            mechanics.places(wanted),
            wanted.q,
        )
        limits = LinearLimits.of(self.space, request.moving)
        self.stretch = Stretch(self.space, reference, held, limits, mechanics, visible, mechanics, times, _CEILING)
        self.between = (times[:-1, None] + np.diff(times)[:, None] * _BETWEEN).ravel()
        self._fine: tuple[Mechanics, list[Stencils]] | None = None

    def solve(self, options: SequenceOptions) -> Shaped:
        """The least visible change, with loads that hold between frames, too."""
        fresh = self.controls if self.moved else None
        shaped = shape_stretch(self.stretch, fresh, options)
        for _ in range(_LOOKS):
            if not shaped.outcome.usable or not self._look_closer(shaped.control_points):
                break
            again = shape_stretch(self.stretch, shaped.control_points, options)
            shaped = _joined(shaped, again)
        return shaped

    def _look_closer(self, controls: np.ndarray) -> bool:
        """Holds loads between frames, too, where they are above their limits; whether any were."""
        if not self.stretch.mechanics.row_names or not len(self.between):
            return False
        if self._fine is None:
            fine = [self.space.at(self.between, order) for order in range(3)]
            self._fine = self.request.mechanics_at(self.between), fine
        mechanics, stencils = self._fine
        motion = Motion(slice(0, len(self.between)), *(one.of(controls) for one in stencils))
        highest = mechanics.loads(motion).max(axis=1)
        if not np.any(highest > 1.0 - _ENOUGH):
            return False
        more = self.between[highest > _CEILING - _ENOUGH]
        times = np.unique(np.concatenate([self.stretch.load_times, more]))
        if len(times) == len(self.stretch.load_times):
            return False
        self.stretch = replace(self.stretch, loaded=self.request.mechanics_at(times), load_times=times)
        return True


@dataclass(frozen=True)
class Span:
    """Control points begin to end."""

    begin: int
    end: int


def _joined(first: Shaped, second: Shaped) -> Shaped:
    return Shaped(
        second.control_points,
        second.cost,
        second.excess,
        first.gap,
        first.programs + second.programs,
        second.outcome,
    )
