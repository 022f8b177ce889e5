"""A stroke while it is being drawn: it only grows, and what cannot be used is counted, not raised."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from animato.trace.live.drawing.growing_line import GrowingLine
from animato.trace.live.drawing.reach_ball import ReachBall
from animato.trace.live.drawing.sample_gate import Sample, SampleGate
from animato.trace.sketch import Plane

LATEST_S = 1e11
"""Times beyond it are none [s]; seconds since 1970 have room."""


class LiveStroke:
    """What was drawn so far, and the line that the robot follows, which is shorter where it cannot keep up.

    Samples that are not finite, or whose times do not rise, are left out; so are single ones that the hand cannot have
    drawn. Those nearer to the last one than `step` add nothing: a pen that shakes while it rests draws nothing.

    Attributes:
        drawn: All that was drawn, the way to the first sample included.
        line: What the robot follows; it may be replaced from a distance on.
        ignored: Samples that could not be used.
        beyond: How far a sample was outside of all that the robot can reach, at most [m].
    """

    def __init__(
        self,
        start: np.ndarray,
        step: float,
        plane: Plane | None,
        approach_speed: float,
        balls: Sequence[ReachBall],
        lift: np.ndarray,
    ) -> None:
        """Begins where the points of the robot are.

        Args:
            start: Where they are [m], [point, 3].
            step: Shortest distance between samples that count [m].
            plane: Where flat samples go; None for samples in space.
            approach_speed: Of the straight way from there to the first sample [m/s].
            balls: What the points can reach at most.
            lift: By how much the points are lifted while the pen is up [m], [3].
        """
        self._start, self._step, self._plane = start, step, plane
        self._approach_speed, self._balls = approach_speed, balls
        self._lift = np.tile(lift, len(start))
        self._gate = SampleGate(max(ball.radius for ball in balls))
        self.drawn, self.line = GrowingLine(start.size), GrowingLine(start.size)
        self._last: Sample | None = None
        self.ignored, self.beyond = 0, 0.0

    @property
    def outliers(self) -> int:
        """Samples that the hand cannot have drawn."""
        return self._gate.outliers

    @property
    def begun(self) -> bool:
        """Whether there is anything to follow."""
        return self.line.count > 1

    @property
    def latest(self) -> float | None:
        """Time of the last sample that could be used [s]."""
        return None if self._last is None else self._last.moment

    def add(self, points: ArrayLike, times: ArrayLike, down: bool = True) -> None:
        """Takes samples in; see `Loop.add` for their shapes."""
        try:
            places = self._in_world(np.asarray(points, dtype=np.float64))
            moments = np.atleast_1d(np.asarray(times, dtype=np.float64))
        except (ValueError, TypeError, OverflowError):
            self.ignored += 1
            return
        if moments.ndim != 1 or len(moments) != len(places):
            self.ignored += max(len(places), moments.size)
            return
        for place, moment in zip(places, moments, strict=True):
            self._take(place, float(moment), bool(down))

    def finish(self) -> None:
        """The drawing ends: the last sample counts however near it is, unless it is in doubt."""
        self._gate.close()
        if self._last is not None:
            self._append(self._height(self._last), self._last.moment, shortest=1e-9)

    def _in_world(self, points: np.ndarray) -> np.ndarray:
        """Samples as rows, [sample, 3 point]."""
        count = self._start.size // 3
        if self._plane is not None and count == 1 and points.shape[-1:] == (2,):
            return self._plane.to_world(points.reshape(-1, 2))
        return points.reshape(-1, 3 * count)

    def _take(self, place: np.ndarray, moment: float, down: bool) -> None:
        late = self._last is not None and moment <= self._last.moment
        if late or not (abs(moment) < LATEST_S and np.all(np.isfinite(place))):
            self.ignored += 1
            return
        near = np.concatenate([ball.drawn_in(one) for ball, one in zip(self._balls, place.reshape(-1, 3), strict=True)])
        for sample in self._gate.let_in(Sample(near, moment, down)):
            self._draw(sample)
            if sample.moment == moment:
                self.beyond = max(self.beyond, float(np.minimum(np.abs(place - near), 1e6).max()))

    def _draw(self, sample: Sample) -> None:
        last = self._last
        if last is None:
            way = float(np.linalg.norm(sample.place - self._start.ravel()))
            self._append(self._start.ravel(), sample.moment - way / self._approach_speed, shortest=-1.0)
        elif last.down != sample.down:  # up before it travels, down only when it is there
            self._append(self._height(last), last.moment, shortest=1e-9)
            self._append((last if last.down else sample).place + self._lift, last.moment, shortest=1e-9)
        self._append(self._height(sample), sample.moment, shortest=self._step)
        self._last = sample

    def _height(self, sample: Sample) -> np.ndarray:
        return sample.place if sample.down else sample.place + self._lift

    def _append(self, place: np.ndarray, moment: float, *, shortest: float) -> None:
        if self.drawn.append(place, moment, shortest=shortest):
            self.line.append(place, moment)
