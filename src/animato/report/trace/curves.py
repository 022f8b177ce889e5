"""Drawn and performed motion side by side, as curves over the path."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from animato.trace import Solution

PLACES = 700


@dataclass(frozen=True, eq=False)
class TraceCurves:
    """Both motions at the same places of the path.

    Attributes:
        s: Share of the path, [place].
        drawn, performed: Where the points are [m], [place, point, 3].
        middles: Share of the path between each two places, [place - 1].
        drawn_speeds, performed_speeds: Of the points between each two places [m/s], [place - 1, point].
        lateness: Of the robot behind the drawn rhythm [s], [place].
        down: Whether the pen is on its line, [place].
        air: Shares of the path from which and up to which the pen is in the air.
        pauses: Shares of the path at which the hand stood still on the way.
        left_out: Samples that were not believed [m], [sample, 3].
        times: When the clip is at each place [s], never falling, [place].
    """

    s: np.ndarray
    drawn: np.ndarray
    performed: np.ndarray
    middles: np.ndarray
    drawn_speeds: np.ndarray
    performed_speeds: np.ndarray
    lateness: np.ndarray
    down: np.ndarray
    air: tuple[tuple[float, float], ...] = ()
    pauses: tuple[float, ...] = ()
    left_out: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))
    times: np.ndarray = field(default_factory=lambda: np.empty(0))

    @property
    def fastest(self) -> float:
        """The largest speed of all while the pen is down [m/s]."""
        drawing = self.down[1:] & self.down[:-1]
        return float(max(speeds[drawing].max(initial=0.0) for speeds in (self.drawn_speeds, self.performed_speeds)))


def build_trace_curves(solution: Solution, *, places: int = PLACES) -> TraceCurves:
    """Samples both motions evenly along the path."""
    s = np.linspace(0.0, 1.0, places)
    performed = solution.points_at(s)
    sketch = solution.problem.sketch
    drawn = sketch.x_of_s(s)
    middles = 0.5 * (s[1:] + s[:-1])
    return TraceCurves(
        s=s,
        drawn=drawn,
        performed=performed,
        middles=middles,
        drawn_speeds=_drawn_speeds(solution, middles),
        performed_speeds=_speeds(performed, solution.scaling.time_of(s)),
        lateness=solution.lateness(s),
        down=sketch.is_down(s),
        air=sketch.air,
        pauses=tuple(place for place, _ in solution.problem.drawn.pauses),
        left_out=np.array([odd.place for odd in sketch.left_out], dtype=float).reshape(-1, 3),
        times=np.interp(s, solution.frame_places, solution.clip.times),
    )


def _drawn_speeds(solution: Solution, s: np.ndarray) -> np.ndarray:
    """Speeds of the drawing hand [m/s], [place, point]: from sample to sample, straight between their middles."""
    nodes = solution.problem.sketch.nodes
    moved = np.diff(nodes.s) > 0.0
    speeds = _speeds(nodes.positions, nodes.times)[moved]
    middles = (0.5 * (nodes.s[1:] + nodes.s[:-1]))[moved]
    return np.stack([np.interp(s, middles, column) for column in speeds.T], axis=1)


def _speeds(places: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Mean speed between each two places [m/s], [place - 1, point]."""
    moves = np.linalg.norm(np.diff(places, axis=0), axis=-1)
    return moves / np.maximum(np.diff(times), 1e-9)[:, None]
