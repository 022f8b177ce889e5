"""What the demos of trace perform: one drawing with several weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError
from animato.formats import load_character, load_motion
from animato.motion import CapturedMotion
from animato.outcome import Progress
from animato.report.trace import build_trace_curves
from animato.trace import Options, Sketch, Solution, build, build_sketch, load_strokes, retimed, solve
from animato.trace.sketch import golf_from_capture

HAMMER_BETAS = (0.1, 10.0, 100.0, 1000.0)
GOLF_BETAS = (1.0, 10.0, 100.0, 1000.0)
PLANAR_ALPHAS = (1e-10, 1e-8, 1e-6, 1e-5, 1e-4)


@dataclass(frozen=True, eq=False)
class TrendRun:
    """One drawing, performed with several values of one weight.

    Attributes:
        weight: Its name: "alpha" or "beta".
        values: Rising, [k].
        traces: What came out, [k].
        shown: Index of the point whose speed is shown.
    """

    weight: str
    values: tuple[float, ...]
    traces: tuple[Solution, ...]
    shown: int = 0

    @property
    def labels(self) -> tuple[str, ...]:
        """The values as people write them."""
        return tuple(f"{self.weight} {value:g}" for value in self.values)


def hammer_run(progress: Progress | None = None) -> TrendRun:
    """Three strikes of a hammer by a planar arm; the tempo is free, so that the rhythm alone is mimicked."""
    arm = load_character("planar_arm")
    options = Options(beta=HAMMER_BETAS[0], tempo_lock=False)
    first = solve(build(arm, load_strokes("hammer", arm), options, name="hammer"), progress=progress)
    return _over_beta(first, HAMMER_BETAS, progress)


def golf_run(capture: str | Path | None = None, progress: Progress | None = None) -> TrendRun:
    """A golf swing by the torso of 29 joints with four points; that of a capture where one is given."""
    torso = load_character("torso29")
    options = Options(beta=GOLF_BETAS[0], tempo_lock=False, start="address")
    sketch = load_strokes("golf", torso, start="address") if capture is None else _captured_golf(capture)
    first = solve(build(torso, sketch, options, name="golf"), progress=progress)
    return _over_beta(first, GOLF_BETAS, progress)


def planar_run(progress: Progress | None = None) -> TrendRun:
    """A flourish by a planar arm, as fast as its motors allow, with more and more smoothing."""
    arm = load_character("planar_arm")
    sketch = load_strokes("flourish", arm)
    traces = []
    for alpha in PLANAR_ALPHAS:
        options = Options(alpha=alpha, beta=0.0, gamma=1.0, tempo_lock=False, control_point_count=40)
        traces.append(solve(build(arm, sketch, options, name="flourish"), progress=progress))
    return TrendRun("alpha", PLANAR_ALPHAS, tuple(traces))


def hello_run(progress: Progress | None = None) -> Solution:
    """The word on a board before the 6-axis arm."""
    arm = load_character("arm6")
    sketch = load_strokes("hello", arm, start="board")
    return solve(build(arm, sketch, Options(start="board"), name="hello"), progress=progress)


def _over_beta(first: Solution, betas: tuple[float, ...], progress: Progress | None) -> TrendRun:
    """The path of a solution with several weights of its timing, the first of which it has."""
    others = (retimed(first, replace(first.problem.options, beta=beta), progress=progress) for beta in betas[1:])
    return TrendRun("beta", betas, (first, *others))


def likeness(solution: Solution, point: int = 0) -> float:
    """Correlation of the drawn and the performed speed of a point along the path; 1 is the same profile."""
    curves = build_trace_curves(solution)
    return float(np.corrcoef(curves.drawn_speeds[:, point], curves.performed_speeds[:, point])[0, 1])


def _captured_golf(capture: str | Path) -> Sketch:
    if Path(capture).suffix.lower() != ".bvh":
        raise FileFormatError(capture, "a captured golf swing is a .bvh file, such as 63_01.bvh of the CMU database.")
    motion = load_motion(capture, first_frame=1)
    if not isinstance(motion, CapturedMotion):
        raise FileFormatError(capture, "this holds no skeleton; a capture such as 63_01.bvh does.")
    return build_sketch(golf_from_capture(motion, load_character("torso29")))
