"""A small coupled problem: the planar arm on a stroke with a corner."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from animato.character.character import Character
from animato.character.limits import TorqueSpeedCurve
from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_strokes
from animato.trace.coupled.problem import CoupledProblem, build_coupled_problem
from animato.trace.options import Method, Options
from animato.trace.problem import Problem, build
from animato.trace.sketch.sketch import Sketch, build_sketch
from animato.trace.solution import Solution
from animato.trace.tracing import solve


@lru_cache
def planar() -> tuple[Character, Sketch]:
    """Who, where, and when it was drawn."""
    return load_character("planar_arm"), build_sketch(read_strokes("flourish"))


def wishes(
    method: Method = "coupled",
    beta: float = 0.1,
    *,
    tempo_lock: bool = False,
    torque: bool = True,
    control_point_count: int = 10,
    iterations: int = 200,
    starts: int = 2,
    duration_s: float | None = None,
) -> Options:
    """Few segments, so that tests are quick."""
    return Options(
        method=method,
        beta=beta,
        gamma=0.01,
        segments=40,
        tempo_lock=tempo_lock,
        torque=torque,
        certificate=False,
        control_point_count=control_point_count,
        place_count=101,
        iterations=iterations,
        starts=starts,
        duration_s=duration_s,
    )


def posed(options: Options) -> Problem:
    """The problem of `trace`."""
    return build(*planar(), options)


@lru_cache
def decoupled(beta: float = 0.1) -> Solution:
    """The start of the others."""
    return solve(posed(wishes("decoupled", beta)))


def dragged_problem() -> CoupledProblem:
    """The same on an arm with damping, and motors that give less the faster they turn."""
    arm, sketch = planar()
    joints = [
        replace(
            joint,
            damping=4.0,
            stated_limits=tuple(
                replace(one, curve=TorqueSpeedCurve((0.0, 2.0 * (one.velocity or 1.0)), (one.torque or 1.0, 0.0)))
                for one in joint.limits
            ),
        )
        for joint in arm.joints
    ]
    slow = replace(arm, joints=tuple(joints))
    options = wishes()
    whole = build(slow, sketch, options)
    start = solve(build(slow, sketch, wishes("decoupled")))
    return build_coupled_problem(slow, whole.path, start.path, start.scaling, whole.drawn, options)


def problem(beta: float = 0.1, *, starts: int = 2, duration_s: float | None = None) -> CoupledProblem:
    """The coupled problem from that start."""
    start = decoupled(beta)
    whole = posed(wishes("coupled", beta, starts=starts, duration_s=duration_s))
    return build_coupled_problem(whole.character, whole.path, start.path, start.scaling, whole.drawn, whole.options)
