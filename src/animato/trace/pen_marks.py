"""When the pen is on its lines and when it is in the air: in the drawing's clock and in the clip's."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.motion import Clip
from animato.trace.path import JointPath
from animato.trace.problem import Problem
from animato.trace.timing import TimeScaling

_PLACES = 8001
_AHEAD = 400  # places beyond the last frame's among which the next one's is sought
_SHORTEST_S = 0.02


@dataclass(frozen=True)
class PenDown:
    """A line that is drawn without lifting the pen.

    Attributes:
        s_start, s_end: Where along the path, 0 to 1.
        start, end: When in the clip [s].
    """

    s_start: float
    s_end: float
    start: float
    end: float


def with_air_as_performed(problem: Problem, scaling: TimeScaling) -> Problem:
    """The problem with the clock of the drawing set to what the robot takes for its ways through the air.

    The rhythm is that of the lines. A way that is quicker, or slower, than planned would else make all lines after it
    early or late.
    """
    sketch = problem.sketch
    performed = scaling.time_of(sketch.arc_length)
    steps, taken = np.diff(sketch.times), np.diff(performed)
    flying = sketch.in_air[1:] | sketch.in_air[:-1]
    tempo = 1.0
    if problem.options.timing == "relative":
        tempo = float(taken[~flying].sum() / steps[~flying].sum())
    for first, last in _runs(flying):
        air = slice(first, last)
        wanted = max(float(taken[air].sum()) / tempo, _SHORTEST_S)
        steps[air] *= wanted / float(steps[air].sum())
    return replace(problem, sketch=replace(sketch, times=np.concatenate([[0.0], np.cumsum(steps)])))


def pen_lines(problem: Problem, clip: Clip, s: np.ndarray) -> tuple[PenDown, ...]:
    """The lines of a performance, in their order; a single one where the pen is never lifted.

    Args:
        problem: What was drawn.
        clip: How it is performed.
        s: Where along the path each frame is, as `places_of_frames` finds it, [frame].
    """
    air = problem.sketch.air
    starts, ends = [0.0, *(touch for _, touch in air)], [*(leave for leave, _ in air), 1.0]
    if not air:
        return (PenDown(0.0, 1.0, float(clip.times[0]), float(clip.times[-1])),)
    when = np.interp([*starts, *ends], s, clip.times)
    when[0], when[-1] = clip.times[0], clip.times[-1]
    count = len(starts)
    return tuple(PenDown(starts[k], ends[k], float(when[k]), float(when[count + k])) for k in range(count))


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def places_of_frames(path: JointPath, clip: Clip) -> np.ndarray:
    """S of each frame, rising, [frame]: every frame lies on the path, a little further than the one before."""
    grid = np.linspace(0.0, 1.0, _PLACES)
    q = path.at(grid)
    columns = [clip.names.index(name) for name in path.names]
    postures = clip.positions[:, columns]
    at, near = 0, np.empty(clip.frame_count, dtype=int)
    for frame, posture in enumerate(postures):
        part = q[at : at + _AHEAD]
        at += int(np.argmin(np.sum((part - posture) ** 2, axis=1)))
        near[frame] = at
    # between the places beside the nearest one the path is straight
    low, high = np.maximum(near - 1, 0), np.minimum(near + 1, _PLACES - 1)
    along = q[high] - q[low]
    share = np.sum((postures - q[low]) * along, axis=1) / np.maximum(np.sum(along**2, axis=1), 1e-30)
    found = grid[low] + np.clip(share, 0.0, 1.0) * (grid[high] - grid[low])
    # np.interp wants places that rise: frames that rest share one
    return np.maximum.accumulate(found) + 1e-12 * np.arange(clip.frame_count)
