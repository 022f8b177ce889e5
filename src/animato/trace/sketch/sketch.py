"""What the robot is to follow: paths of named points in the world, with their timing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from animato.described import Described, shortened
from animato.errors import MotionError
from animato.motion import Stroke, frozen_array, rising_times, unique_names
from animato.trace.sketch.near_pauses import held_still
from animato.trace.sketch.outliers import LeftOut
from animato.trace.sketch.stroke_smoothing import is_noisy, noise_of, smoothed_stroke

SHORTEST_PAUSE_S = 0.1
"""Samples that stand still for less are a slow pen on a coarse tablet, not a pause."""


@dataclass(frozen=True)
class Pause:
    """A moment at which all points stand still.

    Attributes:
        s: Where on the path, 0 to 1.
        start: When it begins [s].
        end: When it ends [s].
    """

    s: float
    start: float
    end: float

    @property
    def duration(self) -> float:
        """How long it lasts [s]."""
        return self.end - self.start


@dataclass(frozen=True, eq=False, repr=False)
class Sketch(Described):
    """One gesture: named points of a robot, where they should be and when. World coordinates.

    The path is told by s, which goes from 0 to 1 with the distance that all points cover together: a step counts
    as sqrt(sum over points of weight * |step|^2). Samples at which nothing moves share one s.

    Attributes:
        points: End-points or markers of the robot, several at once.
        positions: [m], shape [sample, point, 3].
        times: Strictly rising from 0 [s], shape [sample].
        weights: Importance of each point, not negative, shape [point]; 1 where not given.
        accents: Importance of the timing, not negative, shape [sample]; 1 where not given.
        still_m: Steps up to this are standing still [m]; 0 for exactly repeated samples only.
        source: Where it came from, for people.
        in_air: Whether the pen is lifted, so that nothing is drawn and the timing does not count, shape [sample];
            nowhere where not given.
        left_out: Samples of what was drawn that were not believed, in the world.
        notes: What else a reader should know, in sentences.
    """

    points: tuple[str, ...]
    positions: np.ndarray
    times: np.ndarray
    weights: np.ndarray = None  # type: ignore[assignment]
    accents: np.ndarray = None  # type: ignore[assignment]
    still_m: float = 0.0
    source: str = ""
    in_air: np.ndarray = None  # type: ignore[assignment]
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        points = unique_names(self.points, "the sketch")
        if not points:
            raise MotionError("A sketch moves at least one point of the robot; none was named.")
        times = rising_times(self.times, "the sketch")
        if len(times) < 2:
            raise MotionError("A sketch is a path; this one is a single sample. Draw a line, not a dot.")
        if times[0] != 0.0:
            times = frozen_array(times - times[0], (None,), "The times of the sketch")
        count = len(times)
        positions = frozen_array(self.positions, (count, len(points), 3), "The positions of the sketch")
        weights = np.ones(len(points)) if self.weights is None else self.weights
        accents = np.ones(count) if self.accents is None else self.accents
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "weights", _not_negative(weights, len(points), "The weights of the sketch's points"))
        object.__setattr__(self, "in_air", _flags(self.in_air, count))
        heard = np.where(self.in_air, 0.0, _not_negative(accents, count, "The accents of the sketch"))
        object.__setattr__(self, "accents", _not_negative(heard, count, "The accents of the sketch"))
        if not (np.isfinite(self.still_m) and self.still_m >= 0.0):
            raise MotionError(f"Standing still is a step of 0 m or a little more, not {self.still_m}.")
        if self.length == 0.0:
            raise MotionError("All samples of the sketch are the same place; there is no path to follow.")

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "points": shortened(self.points),
            "samples": str(len(self.times)),
            "length": f"{self.length:.3g} m",
            "drawn in": f"{self.duration:.3g} s",
            "source": self.source or "unknown",
        }

    @property
    def duration(self) -> float:
        """Time from the first to the last sample [s]."""
        return float(self.times[-1])

    @property
    def length(self) -> float:
        """Distance that all points cover together, weighted [m]."""
        return float(self._steps.sum())

    @cached_property
    def arc_length(self) -> np.ndarray:
        """The share of the path that is behind, s, of each sample: 0 to 1, never falling, shape [sample]."""
        s = np.concatenate([[0.0], np.cumsum(self._steps)])
        s /= s[-1]
        s.setflags(write=False)
        return s

    @cached_property
    def pauses(self) -> tuple[Pause, ...]:
        """Where the drawing hand stopped for at least a tenth of a second, at the ends too."""
        return tuple(
            Pause(float(self.arc_length[first]), float(self.times[first]), float(self.times[last]))
            for first, last in self._rests
            if self.times[last] - self.times[first] >= SHORTEST_PAUSE_S
        )

    @cached_property
    def air(self) -> tuple[tuple[float, float], ...]:
        """Where along the path the pen is in the air: s at which it leaves a line, and s at which it touches again."""
        edges = np.flatnonzero(np.diff(np.concatenate([[0], self.in_air.astype(np.int8), [0]])))
        last = len(self.times) - 1
        return tuple(
            (float(self.arc_length[max(first - 1, 0)]), float(self.arc_length[min(end, last)]))
            for first, end in zip(edges[::2], edges[1::2], strict=True)
        )

    def is_down(self, s: ArrayLike) -> np.ndarray:
        """Whether the pen is on its line at places s, same shape."""
        places = np.asarray(s, dtype=float)
        down = np.ones(places.shape, dtype=bool)
        for leaves, touches in self.air:
            down &= (places <= leaves) | (places >= touches)
        return down

    @cached_property
    def nodes(self) -> SketchNodes:
        """The samples without those that repeat a place."""
        return _nodes(self)

    def t_of_s(self, s: ArrayLike) -> np.ndarray:
        """When the drawing hand was there [s]: the paper's t_x(s). At a pause, its end; before it, rising to its start.

        Args:
            s: 0 to 1, any shape.
        """
        return _interpolated(self.nodes, self.nodes.times[:, None], s)[..., 0]

    def x_of_s(self, s: ArrayLike) -> np.ndarray:
        """Where the points should be [m], shape [..., point, 3].

        Args:
            s: 0 to 1, any shape.
        """
        nodes = self.nodes
        flat = _interpolated(nodes, nodes.positions.reshape(len(nodes.s), -1), s)
        return flat.reshape(*flat.shape[:-1], len(self.points), 3)

    def accent_of_s(self, s: ArrayLike) -> np.ndarray:
        """How much the timing matters there, same shape as `s`."""
        return _interpolated(self.nodes, self.nodes.accents[:, None], s)[..., 0]

    @cached_property
    def _steps(self) -> np.ndarray:
        """Weighted length of each step [m]; 0 where it is standing still, shape [sample - 1]."""
        moves = np.diff(self.positions, axis=0)
        steps = np.sqrt(np.einsum("tpc,tpc,p->t", moves, moves, self.weights))
        # a hand that holds still leaves rounding, not exact zeros
        tiny = max(self.still_m, 1e-9 * float(steps.max(initial=0.0)))
        return np.where(steps <= tiny, 0.0, steps)

    @cached_property
    def _rests(self) -> list[tuple[int, int]]:
        """First and last sample of each run at one place."""
        still = np.concatenate([[0], (self._steps == 0.0).astype(np.int8), [0]])
        edges = np.flatnonzero(np.diff(still))
        return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


@dataclass(frozen=True, eq=False)
class SketchNodes:
    """The corners of the drawn polyline. Two nodes share their s at a pause, and nowhere else.

    Attributes:
        s: 0 to 1, shape [node].
        times: [s], rising, shape [node].
        positions: [m], shape [node, point, 3].
        accents: Shape [node].
    """

    s: np.ndarray
    times: np.ndarray
    positions: np.ndarray
    accents: np.ndarray


def build_sketch(
    strokes: Mapping[str, Stroke],
    *,
    weights: Mapping[str, float] | None = None,
    accents: ArrayLike | None = None,
    still_m: float = 0.0,
    smooth_hz: float | None = None,
    in_air: ArrayLike | None = None,
    left_out: Sequence[LeftOut] = (),
    notes: Sequence[str] = (),
) -> Sketch:
    """The sketch of several strokes drawn at the same time, each for one point of the robot.

    Where their times differ, all are taken at the times of all, on straight lines between samples; a stroke that
    begins later or ends earlier than another waits there.

    Args:
        strokes: A stroke in space, with times, for each point.
        weights: Importance of some points; the others have 1.
        accents: Importance of the timing at each of the sketch's samples; 1 where not given.
        still_m: Steps up to this are standing still [m].
        smooth_hz: Take out what shakes faster than this; 0 takes nothing out. Where not given, 10 Hz if a stroke
            shakes so much that its path would get longer, else nothing.
        in_air: Of a single stroke: the samples at which the pen is lifted; its lines are smoothed before that.
        left_out: Samples that are not in the strokes any more, for people.
        notes: For people.

    Raises:
        MotionError: A stroke is flat, has no times, or there is no path in them.
    """
    if not strokes:
        raise MotionError("A sketch needs a stroke for at least one point of the robot; none was given.")
    named = dict(weights or {})
    odd = [name for name in named if name not in strokes]
    if odd:
        raise MotionError(f"A weight was given for '{odd[0]}', but no stroke; strokes: {', '.join(strokes)}.")
    for name, stroke in strokes.items():
        _check(name, stroke)
    if in_air is not None:
        smooth_hz = 0.0  # a spline would round the corners at which lines begin and end
    # a point that hardly moves beside others is no hand that hesitates
    alone = len(strokes) == 1
    quiet = {name: without_noise(stroke, smooth_hz, alone=alone) for name, stroke in strokes.items()}
    timed = [(np.asarray(stroke.times), stroke) for stroke in quiet.values()]
    times = timed[0][0] if len(timed) == 1 else _common_times([own for own, _ in timed])
    positions = np.stack([_at_times(times, own, stroke.points) for own, stroke in timed], axis=1)
    sources = dict.fromkeys(stroke.source for _, stroke in timed if stroke.source)
    return Sketch(
        points=tuple(strokes),
        positions=positions,
        times=times - times[0],
        weights=np.array([named.get(name, 1.0) for name in strokes]),
        accents=accents,  # type: ignore[arg-type]
        still_m=still_m,
        source=", ".join(sources),
        in_air=in_air,  # type: ignore[arg-type]
        left_out=tuple(left_out),
        notes=tuple(notes),
    )


def _check(name: str, stroke: Stroke) -> None:
    if stroke.points.shape[1] != 3:
        raise MotionError(f"The stroke for '{name}' is flat; put it into the world first, with `placed`.")
    if len(stroke.points) < 2:
        raise MotionError(f"The stroke for '{name}' is a single point. Draw a line, not a dot.")
    if stroke.times is None:
        raise MotionError(f"The stroke for '{name}' has no times; give it some first, with `timed`.")


def without_noise(stroke: Stroke, smooth_hz: float | None, *, alone: bool = True) -> Stroke:
    """A stroke with times without what shakes faster than a frequency; see `build_sketch`.

    Where it is alone, a hand that hesitates stands still.
    """
    if smooth_hz == 0.0:
        return stroke
    if smooth_hz is not None:
        quiet = smoothed_stroke(stroke, smooth_hz)
    else:
        quiet = smoothed_stroke(stroke) if is_noisy(stroke) else stroke
    return held_still(quiet, noise_of(stroke)) if alone else quiet


def _common_times(all_times: Sequence[np.ndarray]) -> np.ndarray:
    """The times of all; those closer than a microsecond are one."""
    times = np.unique(np.concatenate(all_times))
    return times[np.concatenate([[True], np.diff(times) > 1e-6])]


def _at_times(times: np.ndarray, own: np.ndarray, points: np.ndarray) -> np.ndarray:
    if times is own:
        return points
    return np.stack([np.interp(times, own, points[:, axis]) for axis in range(3)], axis=1)


def _flags(values: ArrayLike | None, count: int) -> np.ndarray:
    flags = np.zeros(count, dtype=bool) if values is None else np.array(values, dtype=bool)
    if flags.shape != (count,) or flags.all():
        raise MotionError("Where the pen is in the air is one yes or no a sample, and somewhere it draws.")
    flags.setflags(write=False)
    return flags


def _not_negative(values: ArrayLike, count: int, what: str) -> np.ndarray:
    array = frozen_array(values, (count,), what)
    if array.min() < 0.0 or array.max() == 0.0:
        raise MotionError(f"{what} must not be negative, and not all zero.")
    return array


def _nodes(sketch: Sketch) -> SketchNodes:
    """One node a place: two at a pause, and for a shorter rest one in the middle of its time."""
    keep = np.ones(len(sketch.times), dtype=bool)
    times, accents = sketch.times.copy(), np.array(sketch.accents)
    last_sample = len(times) - 1
    for first, last in sketch._rests:
        keep[first + 1 : last + 1] = False
        accents[first] = accents[first : last + 1].max()
        if sketch.times[last] - sketch.times[first] >= SHORTEST_PAUSE_S:
            keep[last] = True
            accents[last] = accents[first]
        elif last == last_sample:
            times[first] = sketch.times[last]
        elif first > 0:
            times[first] = 0.5 * (sketch.times[first] + sketch.times[last])
    return SketchNodes(sketch.arc_length[keep], times[keep], sketch.positions[keep], accents[keep])


def _interpolated(nodes: SketchNodes, values: np.ndarray, s: ArrayLike) -> np.ndarray:
    """Values at the nodes [node, k] at places in between, shape [..., k]."""
    places = np.asarray(s, dtype=float)
    right = np.clip(np.searchsorted(nodes.s, places, side="right"), 1, len(nodes.s) - 1)
    width = nodes.s[right] - nodes.s[right - 1]
    # only a pause at the very end has no width here; its end counts
    share = np.where(width > 0.0, (places - nodes.s[right - 1]) / np.where(width > 0.0, width, 1.0), 1.0)[..., None]
    return values[right - 1] * (1.0 - share) + values[right] * share
