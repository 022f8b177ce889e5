"""Strokes on a six-axis arm for the temporal stage: the shipped "hello", and loops that need no geometric stage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character.character import Character
from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_stroke
from animato.motion.posture import Posture
from animato.solvers.timing.arrays import TimingArrays
from animato.spatial.basis import basis_matrix, clamped_knots
from animato.trace.options import Options
from animato.trace.path.fit import solve_path
from animato.trace.path.joint_path import JointPath
from animato.trace.path.problem import build_path_problem
from animato.trace.sketch.drawn_timing import DrawnTiming
from animato.trace.sketch.plane import parse_plane, placed
from animato.trace.sketch.reach_fitting import fitted_plane
from animato.trace.sketch.sketch import build_sketch
from animato.trace.timing.temporal_stage import build_stage, solve_time_scaling
from animato.trace.timing.time_scaling import TimeScaling


@dataclass(frozen=True, eq=False)
class TimingCase:
    """Who moves, where, and when it was drawn."""

    character: Character
    path: JointPath
    drawn: DrawnTiming

    def solve(self, options: Options) -> TimeScaling:
        """The answer of the temporal stage."""
        return solve_time_scaling(self.character, self.path, self.drawn, options)

    def problem(self, options: Options) -> tuple[TimingArrays, np.ndarray, float]:
        """The timing problem, its start, and its unit of time [s]."""
        stage = build_stage(self.character, self.path, self.drawn, options)
        return stage.problem, stage.start, stage.unit

    def timing_error(self, grid: np.ndarray, b: np.ndarray) -> float:
        """Integral of (t - r t_drawn)^2 of a motion with s'' constant on segments [s^2]."""
        speed = np.sqrt(b)
        times = np.concatenate([[0.0], np.cumsum(2.0 * np.diff(grid) / (speed[1:] + speed[:-1]))])
        error = times - self.drawn.at(grid) * times[-1] / self.drawn.duration
        return float(np.trapezoid(error**2, grid))


def build_case(cycles: int = 6, duration: float = 12.13) -> TimingCase:
    """Loops across the board of the shipped arm."""
    arm = load_character("arm6")
    knots = clamped_knots(np.linspace(0.0, 1.0, 81))
    s = np.linspace(0.0, 1.0, 2000)
    turn = 2.0 * np.pi * cycles * s
    joints = np.stack(
        [
            -0.45 + 0.9 * s + 0.12 * np.cos(turn),
            0.17 + 0.15 * np.sin(turn),
            -0.35 + 0.2 * np.sin(turn + 0.3),
            0.3 * np.sin(0.5 * turn),
            0.17 + 0.25 * np.cos(turn),
            0.2 * np.sin(turn),
        ],
        axis=1,
    )
    points = np.linalg.lstsq(basis_matrix(knots, s).toarray(), joints, rcond=None)[0]
    pace = 1.0 / (1.0 + 0.5 * np.cos(2.0 * turn) + 0.2 * np.sin(21.0 * s))
    times = np.concatenate([[0.0], np.cumsum(np.diff(s) * 0.5 * (pace[1:] + pace[:-1]))])
    return TimingCase(arm, JointPath(arm.coordinate_names, knots, points), DrawnTiming(s, times * duration / times[-1]))


def hello_case() -> TimingCase:
    """The shipped "hello", 3.68 m in 12.13 s, on a board before the shipped arm."""
    arm, stroke = load_character("arm6"), read_stroke("hello")
    start = Posture.named(arm, "board")
    plane = fitted_plane(arm, "pen", stroke, parse_plane("-yz"), start=start)
    sketch = build_sketch({"pen": placed(stroke, plane)})
    fit = solve_path(build_path_problem(arm, sketch, posture=start))
    return TimingCase(arm, fit.path, DrawnTiming.from_sketch(sketch))
