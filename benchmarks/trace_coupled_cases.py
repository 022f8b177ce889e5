"""Strokes with corners for path and timing together: drawn at random, one set to choose constants, another to report.

A shape is a chain of straight pieces (a zig-zag, a saw, a star, a square, dashes), some with an arc at the end, with
random angles, lengths and pace. It is put where a robot can follow it. The weight of haste goes by the size of the
drawing: what a second costs is a share of its squared size, so that giving way at a corner is worth something and the
drawing stays one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from animato.character.character import Character
from animato.formats.character_files import load_character
from animato.motion.stroke import Stroke
from animato.trace.coupled.interior_point import feasible_start
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.problem import CoupledProblem, build_coupled_problem
from animato.trace.options import Options
from animato.trace.problem import build
from animato.trace.sketch.plane import Plane, parse_plane, placed
from animato.trace.sketch.reach_fitting import fitted_plane
from animato.trace.sketch.sketch import build_sketch
from animato.trace.solution import Solution
from animato.trace.tracing import solve

CHOOSING, REPORTING = 1000, 2000
"""First random seeds of the two sets; constants were chosen on the first alone."""

SEGMENTS = 80
_SAMPLES = 400
_HASTE = (3e-4, 3e-3)  # share of the squared size of the drawing that a second costs
_ELSEWHERE = Path(__file__).parents[2] / "shared" / "data" / "robots" / "tx90l" / "tx90l.urdf"


@dataclass(frozen=True)
class Robot:
    """Who draws.

    Attributes:
        name: For people.
        source: Its name, or file.
        point: That draws.
        board: Axes of the plane that it draws on.
        size: Of the drawing [m].
    """

    name: str
    source: str
    point: str
    board: str
    size: float


SHIPPED = (
    Robot("planar_arm", "planar_arm", "pen", "xz", 3.0),
    Robot("arm6", "arm6", "pen", "-yz", 0.5),
    Robot("lamp", "lamp", "light", "-yz", 0.2),
)
ELSEWHERE = (Robot("tx90l", str(_ELSEWHERE), "tool0", "-yz", 0.6),)


@dataclass(frozen=True, eq=False)
class CornerCase:
    """One stroke on one robot: the coupled problem, and the decoupled motion that it begins with."""

    name: str
    problem: CoupledProblem
    decoupled: Solution

    @property
    def peer_start(self) -> tuple[np.ndarray, np.ndarray]:
        """The same feasible start that ours takes: control points and b."""
        model = CoupledModel(self.problem)
        x = np.concatenate([self.problem.start_points.ravel(), self.problem.start_b])
        return model.split(feasible_start(model, x))


def robots() -> tuple[Robot, ...]:
    """Those that come with animato, and one from elsewhere where its file is at hand."""
    return SHIPPED + (ELSEWHERE if _ELSEWHERE.exists() else ())


def corner_case(robot: Robot, seed: int) -> CornerCase:
    """The stroke of a random seed on a robot."""
    rng = np.random.default_rng(seed)
    name, stroke = drawn_stroke(rng)
    character = _character(robot.source)
    sketch = build_sketch({robot.point: placed(stroke, _plane(character, robot, stroke))})
    size = float(np.ptp(sketch.x_of_s(np.linspace(0.0, 1.0, 200))[:, 0], axis=0).max())
    options = Options(
        beta=float(np.exp(rng.uniform(np.log(0.1), np.log(10.0)))) * 0.01 * size**2,
        gamma=float(np.exp(rng.uniform(*np.log(_HASTE)))) * size**2,
        tempo_lock=False,
        segments=SEGMENTS,
        certificate=False,
        control_point_count=int(rng.integers(14, 23)),
    )
    whole = build(character, sketch, options)
    start = solve(whole)
    problem = build_coupled_problem(character, whole.path, start.path, start.scaling, whole.drawn, options)
    return CornerCase(f"{robot.name}.{name}.{seed}", problem, start)


def drawn_stroke(rng: np.random.Generator) -> tuple[str, Stroke]:
    """A flat stroke with corners, about 1 m wide, and what it is."""
    names = list(_SHAPES)
    name = names[int(rng.integers(len(names)))]
    corners = _SHAPES[name](rng)
    along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1)))
    s = np.unique(np.round(np.append(np.linspace(0.0, along[-1], _SAMPLES), along), 6))  # no two as good as the same
    s[-1] = along[-1]
    points = np.stack([np.interp(s, along, column) for column in corners.T], axis=1)
    away = np.abs(s[:, None] - along[None, 1:-1]).min(axis=1) / along[-1]
    # some hands slow down before a corner, some do not; both have a pace that comes and goes
    slowed = 1.0 - rng.uniform(0.0, 0.8) * np.exp(-away / 0.03)
    pace = slowed * (1.0 + 0.3 * np.sin(2.0 * np.pi * (rng.uniform() + rng.integers(1, 4) * s / along[-1])))
    times = np.append(0.0, np.cumsum(np.diff(s) * 0.5 * (1.0 / pace[1:] + 1.0 / pace[:-1])))
    return name, Stroke(points, times * rng.uniform(2.0, 6.0) / times[-1], source=name)


def _zigzag(rng: np.random.Generator) -> np.ndarray:
    """Teeth of one angle, both ways alike."""
    count, height = int(rng.integers(3, 8)), rng.uniform(0.2, 0.8)
    return np.stack([np.linspace(0.0, 1.0, count + 1), height * (np.arange(count + 1) % 2)], axis=1)


def _saw(rng: np.random.Generator) -> np.ndarray:
    """Slow up, steep down."""
    count, steep = int(rng.integers(2, 5)), rng.uniform(0.02, 0.3)
    x = np.ravel([(k, k + 1.0 - steep) for k in range(count)]) / count
    return np.stack([x, rng.uniform(0.2, 0.7) * (np.arange(2 * count) % 2)], axis=1)


def _star(rng: np.random.Generator) -> np.ndarray:
    """Points on a circle, every second or third one."""
    count, skip = ((5, 2), (7, 2), (7, 3))[int(rng.integers(3))]
    turn = 2.0 * np.pi * skip * np.arange(count + 1) / count + rng.uniform(0.0, 2.0 * np.pi)
    return 0.5 * np.stack([np.cos(turn), np.sin(turn)], axis=1)


def _square(rng: np.random.Generator) -> np.ndarray:
    """A box, and an arc that leaves it."""
    height, radius = rng.uniform(0.4, 1.0), rng.uniform(0.15, 0.4)
    turn = np.linspace(-0.5 * np.pi, rng.uniform(0.5, 1.6) * np.pi, 60)
    arc = np.array([0.0, radius]) + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.vstack([[[0.0, 0.0], [1.0, 0.0], [1.0, height], [0.0, height], [0.0, 0.0]], arc[1:]])


def _dashes(rng: np.random.Generator) -> np.ndarray:
    """Back and forth, each time beside the last."""
    count = int(rng.integers(3, 6))
    ends = np.where(np.arange(2 * count) // 2 % 2 == np.arange(2 * count) % 2, 0.0, 1.0)
    return np.stack([ends, rng.uniform(0.1, 0.3) * (np.arange(2 * count) // 2)], axis=1)


def _crooked(rng: np.random.Generator) -> np.ndarray:
    """Pieces of any length, each at any sharp or blunt angle to the one before."""
    count = int(rng.integers(4, 8))
    turns = rng.uniform(0.25 * np.pi, 0.9 * np.pi, count) * rng.choice([-1.0, 1.0], count)
    angle, length = np.cumsum(turns), rng.uniform(0.3, 1.0, count)
    return np.vstack([[[0.0, 0.0]], np.cumsum(length[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1), axis=0)])


_SHAPES: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "zigzag": _zigzag,
    "saw": _saw,
    "star": _star,
    "square": _square,
    "dashes": _dashes,
    "crooked": _crooked,
}


@lru_cache
def _character(source: str) -> Character:
    return load_character(source)


def _plane(character: Character, robot: Robot, stroke: Stroke) -> Plane:
    return fitted_plane(character, robot.point, stroke, parse_plane(robot.board), size=robot.size)
