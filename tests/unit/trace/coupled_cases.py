"""A small coupled problem: the planar arm on a stroke with a corner."""

from __future__ import annotations

from functools import lru_cache

from animato.character.character import Character
from animato.formats.character_files import load_character
from animato.formats.strokes.reader import load_strokes
from animato.trace.coupled.problem import CoupledProblem, build_coupled_problem
from animato.trace.coupled_motion import CoupledMotion, optimize_coupled
from animato.trace.path.problem import PathProblem, build_path_problem
from animato.trace.sketch.drawn_timing import DrawnTiming
from animato.trace.sketch.sketch import build_sketch
from animato.trace.timing.problem import TimingOptions


@lru_cache
def planar(control_points: int = 10) -> tuple[Character, PathProblem, DrawnTiming]:
    """Who, where, and when it was drawn."""
    arm, sketch = load_character("planar_arm"), build_sketch(load_strokes("flourish"))
    return (
        arm,
        build_path_problem(arm, sketch, control_point_count=control_points, place_count=101),
        DrawnTiming.from_sketch(sketch),
    )


def wishes(beta: float = 0.1, *, gamma: float = 0.01, segments: int = 40, tempo_lock: bool = False) -> TimingOptions:
    """Few segments, so that tests are quick."""
    return TimingOptions(beta=beta, gamma=gamma, segments=segments, tempo_lock=tempo_lock, certificate=False)


@lru_cache
def decoupled(beta: float = 0.1) -> CoupledMotion:
    """The start of the others."""
    return optimize_coupled(*planar(), wishes(beta), method="decoupled")


def problem(beta: float = 0.1) -> CoupledProblem:
    """The coupled problem from that start."""
    arm, path_problem, drawn = planar()
    start = decoupled(beta)
    return build_coupled_problem(arm, path_problem, start.path, start.scaling, drawn, wishes(beta))
