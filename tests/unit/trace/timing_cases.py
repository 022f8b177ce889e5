"""Small robots, paths and drawn timings with known answers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from animato.character.body import Body
from animato.character.character import Character
from animato.character.joint import Joint
from animato.character.limits import Limits
from animato.spatial.basis import basis_matrix, clamped_knots
from animato.trace.path.joint_path import JointPath
from animato.trace.sketch.drawn_timing import DrawnTiming

GROUND = Joint("stand", "ground", "world", "base")
AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def gantry(*limits: Limits, mass: float = 2.0, gravity: float = 0.0) -> Character:
    """Sliding axes x, y, z that stand on one another; the last carries the mass."""
    names = [f"axis_{k}" for k in range(len(limits))]
    bodies = [
        Body("base"),
        *(Body(f"slide_{k}", mass=mass if k == len(limits) - 1 else 0.0) for k in range(len(limits))),
    ]
    joints = [
        Joint(
            name, "prismatic", "base" if k == 0 else f"slide_{k - 1}", f"slide_{k}", axis=AXES[k], stated_limits=(one,)
        )
        for k, (name, one) in enumerate(zip(names, limits, strict=True))
    ]
    return Character("gantry", tuple(bodies), (GROUND, *joints), gravity=(0, 0, -gravity))


def pendulum(limits: Limits, **joint: float) -> Character:
    """Hangs down at 0: 2 kg at 0.5 m, and 0.1 kg m^2 about that point."""
    bob = Body("bob", mass=2.0, centre=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02, 0, 0, 0))
    pivot = Joint("pivot", "revolute", "base", "bob", axis=(0, 1, 0), stated_limits=(limits,), **joint)  # type: ignore[arg-type]
    return Character("pendulum", (Body("base"), bob), (GROUND, pivot))


def line(names: tuple[str, ...], start: list[float], end: list[float], pieces: int = 4) -> JointPath:
    """A straight path at constant speed in s."""
    knots = clamped_knots(np.linspace(0, 1, pieces + 1))
    places = np.array([knots[k + 1 : k + 4].mean() for k in range(len(knots) - 4)])
    return JointPath(names, knots, np.array(start) + places[:, None] * (np.array(end) - np.array(start)))


def fitted(names: tuple[str, ...], curve: Callable[[np.ndarray], np.ndarray], pieces: int = 40) -> JointPath:
    """The spline nearest to a curve q(s) [m, n]."""
    knots = clamped_knots(np.linspace(0, 1, pieces + 1))
    s = np.linspace(0, 1, 12 * pieces)
    points = np.linalg.lstsq(basis_matrix(knots, s).toarray(), curve(s), rcond=None)[0]
    return JointPath(names, knots, points)


def even(duration: float = 1.0) -> DrawnTiming:
    """Constant speed."""
    return DrawnTiming(np.array([0.0, 1.0]), np.array([0.0, duration]))


def drawn(speed: Callable[[np.ndarray], np.ndarray], duration: float, samples: int = 2000) -> DrawnTiming:
    """A timing whose speed has a given shape over s."""
    s = np.linspace(0, 1, samples)
    pace = 1.0 / speed(s)
    times = np.concatenate([[0.0], np.cumsum(np.diff(s) * 0.5 * (pace[1:] + pace[:-1]))])
    return DrawnTiming(s, times * duration / times[-1])
