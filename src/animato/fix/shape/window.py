"""A stretch of a clip as a problem of its own: what is around it stays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.fix.shape.linear_limits import LinearLimits
from animato.fix.shape.mechanics import Mechanics, Motion
from animato.fix.shape.request import Request
from animato.fix.shape.sequence import SequenceOptions, Shaped, Stretch, shape_stretch
from animato.fix.shape.spline_space import SplineSpace, Stencils
from animato.fix.shape.visible import Visible

BORDER = 3
"""Control points on each side that take part and stay, so that the curve goes on."""

_BETWEEN = np.arange(1, 8) / 8.0  # of a step from frame to frame: where loads are looked at once more
_CEILING = 1.0 - 1e-4  # what loads may use: they are held at frames and looked at between them
_TIGHTENINGS = 6
_FEASIBLE = 1e-7


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
        ceiling = np.full((len(times), len(mechanics.row_names)), _CEILING)
        limits = LinearLimits.of(self.space, request.moving)
        self.stretch = Stretch(self.space, reference, held, limits, mechanics, visible, here, ceiling)
        self._fine: tuple[Mechanics, list[Stencils]] | None = None

    def solve(self, options: SequenceOptions) -> Shaped:
        """The least visible change, with loads that hold between frames, too."""
        shaped = shape_stretch(self.stretch, self.controls, options)
        for _ in range(_TIGHTENINGS):
            if not shaped.outcome.usable or not self._tighten(shaped.control_points):
                break
            again = shape_stretch(self.stretch, shaped.control_points, options)
            shaped = _joined(shaped, again)
        return shaped

    def _tighten(self, controls: np.ndarray) -> bool:
        """Lowers ceilings where loads swing above their limits between frames; whether any did."""
        ceiling = self.stretch.ceiling
        if not ceiling.shape[1] or len(self.space.frame_times) < 2:
            return False
        if self._fine is None:
            times = self.space.frame_times
            fine = (times[:-1, None] + np.diff(times)[:, None] * _BETWEEN).ravel()
            self._fine = self.request.mechanics_at(fine), [self.space.at(fine, order) for order in range(3)]
        mechanics, stencils = self._fine
        motion = Motion(slice(0, len(stencils[0])), *(one.of(controls) for one in stencils))
        over = mechanics.loads(motion).reshape(-1, len(_BETWEEN), ceiling.shape[1]).max(axis=1) - 1.0
        over = np.where(over > _FEASIBLE - (1.0 - _CEILING), over + (1.0 - _CEILING), 0.0)
        rows = np.flatnonzero(np.any(over > 0.0, axis=1))
        if not len(rows) or not np.any(over > 1.0 - _CEILING + _FEASIBLE):
            return False
        for side in (rows, rows + 1):
            ceiling[side] -= 1.1 * over[rows]
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
