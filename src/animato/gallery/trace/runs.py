"""What the demos of trace perform: one drawing with several weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import FileFormatError
from animato.formats import load_character, load_motion
from animato.motion import CapturedMotion, Stroke
from animato.report.trace import build_trace_curves
from animato.trace import Traced, retimed, trace_strokes
from animato.trace.sketch import golf_from_capture, load_sketch

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
    traces: tuple[Traced, ...]
    shown: int = 0

    @property
    def labels(self) -> tuple[str, ...]:
        """The values as people write them."""
        return tuple(f"{self.weight} {value:g}" for value in self.values)


def hammer_run() -> TrendRun:
    """Three strikes of a hammer by a planar arm; the tempo is free, so that the rhythm alone is mimicked."""
    arm = load_character("planar_arm")
    first = trace_strokes(arm, load_sketch("hammer", arm), beta=HAMMER_BETAS[0], tempo_lock=False, name="hammer")
    return TrendRun("beta", HAMMER_BETAS, tuple(retimed(first, beta=beta) for beta in HAMMER_BETAS))


def golf_run(capture: str | Path | None = None) -> TrendRun:
    """A golf swing by the torso of 29 joints with four points; that of a capture where one is given."""
    torso = load_character("torso29")
    options: dict[str, Any] = {"beta": GOLF_BETAS[0], "tempo_lock": False, "start": "address", "name": "golf"}
    if capture is None:
        first = trace_strokes(torso, load_sketch("golf", torso, start="address"), **options)
    else:
        first = trace_strokes(torso, _captured_golf(capture), **options)
    return TrendRun("beta", GOLF_BETAS, tuple(retimed(first, beta=beta) for beta in GOLF_BETAS))


def planar_run(progress: Callable[[str], None] = lambda _: None) -> TrendRun:
    """A flourish by a planar arm, as fast as its motors allow, with more and more smoothing."""
    arm = load_character("planar_arm")
    sketch = load_sketch("flourish", arm)
    traces = []
    for alpha in PLANAR_ALPHAS:
        progress(f"tracing the flourish with alpha {alpha:g}")
        wishes: dict[str, Any] = {"alpha": alpha, "beta": 0.0, "gamma": 1.0, "tempo_lock": False, "name": "flourish"}
        traces.append(trace_strokes(arm, sketch, path_options={"control_point_count": 40}, **wishes))
    return TrendRun("alpha", PLANAR_ALPHAS, tuple(traces))


def hello_run() -> Traced:
    """The word on a board before the 6-axis arm."""
    arm = load_character("arm6")
    return trace_strokes(arm, load_sketch("hello", arm, start="board"), start="board", name="hello")


def likeness(traced: Traced, point: int = 0) -> float:
    """Correlation of the drawn and the performed speed of a point along the path; 1 is the same profile."""
    curves = build_trace_curves(traced)
    return float(np.corrcoef(curves.drawn_speeds[:, point], curves.performed_speeds[:, point])[0, 1])


def _captured_golf(capture: str | Path) -> dict[str, Stroke]:
    if Path(capture).suffix.lower() != ".bvh":
        raise FileFormatError(capture, "a captured golf swing is a .bvh file, such as 63_01.bvh of the CMU database.")
    motion = load_motion(capture, first_frame=1)
    if not isinstance(motion, CapturedMotion):
        raise FileFormatError(capture, "this holds no skeleton; a capture such as 63_01.bvh does.")
    return golf_from_capture(motion, load_character("torso29"))
