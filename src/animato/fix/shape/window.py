"""A stretch of a clip as a problem of its own: what is around it stays."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.algebra.banded import BandedMatrix, band_product
from animato.fix.shape.linear_limits import LinearLimits
from animato.fix.shape.mechanics import Mechanics, Motion
from animato.fix.shape.request import Request
from animato.fix.shape.sequence import SequenceOptions, Shaped, Stretch, shape_stretch
from animato.fix.shape.spline_space import SplineSpace, Stencils
from animato.fix.shape.visible import Visible

BORDER = 3
"""Control points on each side that take part and stay, so that the curve goes on."""

_BETWEEN = np.arange(9) / 8.0  # of a step from frame to frame: where loads are looked at once more
_CLOSELY = np.arange(17) / 16.0  # the same where nothing limits jerk
_INNER = (0.25, 0.5, 0.75)  # the same from the start, where nothing limits jerk and loads may swing between frames
_CEILING = 1.0 - 5e-4  # what loads may use: they are held at moments and looked at between them
_ENOUGH = 2.5e-4  # of that margin: loads that use more of it are held there as well
_LOOKS = 8
_BUSY = 0.8  # share of a limit from which on dry friction may decide
_SAME = 1e-3  # of a step from frame to frame: moments that are nearer are the same
_LITTLE_MORE = 0.5  # shares beyond their limits from which on slopes tell where to go
_SMOOTHINGS = tuple(10.0**power for power in range(-1, 8))


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
        if request.start is not None:
            self.controls = np.where(held, self.controls, request.start[self.first : self.last])
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
        loaded, load_times, self.between = mechanics, times, _BETWEEN
        if mechanics.row_names and not np.all(np.isfinite(request.moving.upper["jerk"][request.moving.root :])):
            load_times = np.union1d(times, (times[:-1, None] + np.diff(times)[:, None] * _INNER).ravel())
            loaded, self.between = request.mechanics_at(load_times), _CLOSELY
        self.stretch = Stretch(self.space, reference, held, limits, mechanics, visible, loaded, load_times, _CEILING)
        self._fine: tuple[Mechanics, list[Stencils]] | None = None

    def solve(self, options: SequenceOptions) -> Shaped:
        """The least visible change, with loads that hold between frames, too."""
        shaped = shape_stretch(self.stretch, self.controls if self.moved else self._calmer(), options)
        for _ in range(_LOOKS):
            if not shaped.outcome.usable or not self._look_closer(shaped.control_points):
                break
            again = shape_stretch(self.stretch, shaped.control_points, options, solved=True)
            shaped = _joined(shaped, again)
        return shaped

    def _calmer(self) -> np.ndarray | None:
        """A smoother motion to begin with, where the reference asks so much of motors that slopes there tell nothing.

        Of the curves that weigh squared jerk against squared distance from the reference, the nearest one that asks
        for little more than motors have.
        """
        stretch = self.stretch
        if not stretch.loaded.row_names:
            return None
        stencils = [self.space.at(stretch.load_times, order) for order in range(3)]
        for smoothing in (0.0, *_SMOOTHINGS):
            controls = _smoothed(stretch, smoothing)
            motion = Motion(slice(0, len(stencils[0])), *(one.of(controls) for one in stencils))
            loads = stretch.loaded.loads(motion)[:, stretch.loaded.smoothable]
            if float(loads.max(initial=0.0)) <= 1.0 + _LITTLE_MORE:
                break
        return controls if smoothing > 0.0 else None

    def _heavy_turns(
        self, controls: np.ndarray, speeds: np.ndarray, loads: np.ndarray, times: np.ndarray
    ) -> np.ndarray:
        """When joints turn round and dry friction, which jumps then, makes a load too high [s], [turn]."""
        turns = np.unique(_turns(times, speeds, loads))
        if not len(turns):
            return turns
        stencils = [self.space.at(turns, order) for order in range(3)]
        motion = Motion(slice(0, len(turns)), *(one.of(controls) for one in stencils))
        highest = self.request.mechanics_at(turns).loads(motion).max(axis=1)
        return np.asarray(turns[highest > 1.0 - _ENOUGH])

    def _look_closer(self, controls: np.ndarray) -> bool:
        """Holds loads between frames, too, where they are above their limits; whether any were."""
        times = self.space.frame_times
        if not self.stretch.mechanics.row_names or len(times) < 2:
            return False
        if self._fine is None:
            fine = (times[:-1, None] + np.diff(times)[:, None] * self.between).ravel()
            self._fine = self.request.mechanics_at(fine), [self.space.at(fine, order) for order in range(3)]
        mechanics, stencils = self._fine
        motion = Motion(slice(0, len(stencils[0])), *(one.of(controls) for one in stencils))
        loads = mechanics.loads(motion).reshape(len(times) - 1, len(self.between), -1)
        step, share, height = _peaks(loads)
        turns = np.zeros(0)
        if mechanics.has_friction:
            turns = self._heavy_turns(controls, motion.v, loads.reshape(len(motion.v), -1), stencils[1].times)
        if not np.any(height > 1.0 - _ENOUGH) and not len(turns):
            return False
        chosen = height > _CEILING - _ENOUGH
        more = times[step[chosen]] + np.diff(times)[step[chosen]] * share[chosen]
        more = np.concatenate([more, turns])
        known = self.stretch.load_times
        nearest = np.abs(known[np.clip(np.searchsorted(known, more), 1, len(known) - 1)] - more)
        nearest = np.minimum(
            nearest, np.abs(known[np.clip(np.searchsorted(known, more) - 1, 0, len(known) - 1)] - more)
        )
        more = np.unique(more[nearest > _SAME * float(np.diff(times).min())])
        if not len(more):
            return False
        moments = np.union1d(known, more)
        self.stretch = replace(self.stretch, loaded=self.request.mechanics_at(moments), load_times=moments)
        return True


def _smoothed(stretch: Stretch, smoothing: float) -> np.ndarray:
    """Control points of least |x - reference|^2 + smoothing |third differences|^2, with what is held held."""
    if smoothing == 0.0:
        return stretch.reference
    count = len(stretch.reference)
    band = np.zeros((count, 4))
    band[:, 3] = 1.0
    bend = np.array([-1.0, 3.0, -3.0, 1.0])
    for i in range(4):
        for j in range(i + 1):
            band[i : count - 3 + i, 3 - (i - j)] += smoothing * bend[i] * bend[j]
    out = stretch.reference.copy()
    for column in range(out.shape[1]):
        held = stretch.held[:, column]
        known = np.where(held, out[:, column], 0.0)
        pulled = np.empty(count)
        band_product(band, known, pulled)
        factor = BandedMatrix(band).factored(0.0, held)
        if factor is not None:
            out[:, column] = np.where(held, known, factor.solve(np.where(held, 0.0, out[:, column] - pulled)))
    return out


def _peaks(loads: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where in steps from frame to frame rows are highest: the step, the share of it, and how high, [peak] each.

    Between the moments that are looked at a peak is that of the parabola through three of them.

    Args:
        loads: [step, moment, row], moments evenly from frame to frame.
    """
    high = loads > _CEILING - 10.0 * _ENOUGH
    step, at, row = np.nonzero(high[:, :-2] | high[:, 1:-1] | high[:, 2:])
    before, here, after = (loads[step, at + k, row] for k in range(3))
    bend = before - 2.0 * here + after
    ahead = np.where(bend < 0.0, 0.5 * (before - after) / np.where(bend < 0.0, bend, -1.0), 2.0)
    within = np.abs(ahead) <= 1.0
    height = here - 0.5 * (before - after) * ahead + 0.5 * bend * ahead**2
    return step[within], ((at + 1 + ahead) / (loads.shape[1] - 1))[within], height[within]


def _turns(times: np.ndarray, speeds: np.ndarray, loads: np.ndarray) -> np.ndarray:
    """When a joint turns round while some motor has much to do [s], [turn].

    Args:
        times: Of the moments, rising or the same [s], [moment].
        speeds: Of the columns, [moment, column].
        loads: Of the rows, [moment, row].
    """
    busy = loads.max(axis=1) > _BUSY
    turn = (speeds[:-1] * speeds[1:] < 0.0) & (busy[:-1] | busy[1:])[:, None]
    moment, column = np.nonzero(turn)
    before, after = speeds[moment, column], speeds[moment + 1, column]
    return np.asarray(times[moment] + (times[moment + 1] - times[moment]) * before / (before - after))


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
