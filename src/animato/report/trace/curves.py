"""Drawn and performed motion side by side, as curves over the path."""

from __future__ import annotations

from dataclasses import dataclass

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
    """

    s: np.ndarray
    drawn: np.ndarray
    performed: np.ndarray
    middles: np.ndarray
    drawn_speeds: np.ndarray
    performed_speeds: np.ndarray
    lateness: np.ndarray

    @property
    def fastest(self) -> float:
        """The largest speed of all [m/s]."""
        return float(max(self.drawn_speeds.max(), self.performed_speeds.max()))


def build_trace_curves(solution: Solution, *, places: int = PLACES) -> TraceCurves:
    """Samples both motions evenly along the path."""
    s = np.linspace(0.0, 1.0, places)
    performed = solution.points_at(s)
    drawn = solution.problem.sketch.x_of_s(s)
    middles = 0.5 * (s[1:] + s[:-1])
    return TraceCurves(
        s=s,
        drawn=drawn,
        performed=performed,
        middles=middles,
        drawn_speeds=_drawn_speeds(solution, middles),
        performed_speeds=_speeds(performed, solution.scaling.time_of(s)),
        lateness=solution.lateness(s),
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
