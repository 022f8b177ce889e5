"""Inverse kinematics with closed loops, every time step for itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from animato.algebra.sparse_lu_analysis import SingularMatrixError
from animato.character import JointType
from animato.design.optimization.evaluation import DesignPoint, Evaluation, References, evaluated, normalized_point
from animato.design.optimization.program import ProgramBuilder
from animato.design.problem import Problem
from animato.mechanics.loops.constraints import Mechanism, constraint_jacobians, factor_constraints, joint_coordinates
from animato.outcome import Iteration, Progress
from animato.solvers.stage_qp import search_direction

_STRIDE = 16
"""Steps from one key to the next, at most; keys are solved one after the other, then all steps between them at once."""

_NEAR = 0.5
"""Largest move of a control from key to key [rad or m]; beyond, a step may end on another branch than its neighbour."""

_ROUNDS = 40
_MOST_DAMPING = 1e4
_CLOSED = 1e-7
"""Largest constraint row [m or 1] at which loops count as closed."""


@dataclass(frozen=True, eq=False)
class FrameSolution:
    """Controls that follow the targets, with a fixed design.

    Attributes:
        controls: Shape [step, control].
        states: Shape [step, state].
        objective: Of every step, shape [step].
    """

    controls: np.ndarray
    states: np.ndarray
    objective: np.ndarray


def loop_inverse_kinematics(
    problem: Problem, design: ArrayLike | None = None, *, progress: Progress | None = None
) -> FrameSolution:
    """Follows the targets of a design problem as closely as a fixed design can, every step for itself.

    Position limits count, velocity limits do not. Damped Gauss-Newton on the controls; after each step the
    states are brought back to where all loops are closed. Every sixteenth step, or more where controls move far,
    starts from the one before; the steps between them from what lies between.

    Args:
        problem: Gives targets, limits and weights.
        design: Shape [design]; the character's own where not given.
        progress: Told how many steps are reached.
    """
    mechanism = problem.mechanism
    p = np.asarray(mechanism.design if design is None else design, dtype=np.float64)
    steps = problem.step_count
    solver = FrameSolver(problem)
    controls = np.empty((steps, len(mechanism.controls)))
    states = np.empty((steps, len(mechanism.state)))
    keys: list[int] = []
    tell = step_teller("inverse kinematics, key steps", steps, progress)
    for first, end in spans_of(problem):
        for k, here in _solved_keys(solver, first, end, rest_point(mechanism, p)):
            controls[k], states[k] = here.controls[0], here.states[0]
            keys.append(k)
            tell(k + 1)
    for first, end in spans_of(problem):
        own = np.array([k for k in keys if first <= k < end])
        every = np.arange(first, end)
        before = own[np.clip(np.searchsorted(own, every, side="right") - 1, 0, len(own) - 1)]
        after = own[np.clip(np.searchsorted(own, every), 0, len(own) - 1)]
        share = ((every - before) / np.maximum(after - before, 1))[:, None]
        controls[every] = (1.0 - share) * controls[before] + share * controls[after]
        states[every] = (1.0 - share) * states[before] + share * _alike(states[after], states[before])
    start, fine = closed(mechanism, normalized_point(mechanism, DesignPoint(p, controls, states)))
    nearest = np.array([keys[int(np.argmin(np.abs(np.array(keys) - k)))] for k in range(steps)])
    start.controls[~fine], start.states[~fine] = controls[nearest[~fine]], states[nearest[~fine]]
    found = solver.solved(np.arange(steps), start, tell=step_teller("inverse kinematics", steps, progress))
    point = _unwound(problem, found.point, start)
    return FrameSolution(point.controls, _continuous(point.states), found.objective.by_step)


def step_teller(stage: str, total: int, progress: Progress | None) -> Callable[[int], None]:
    """Tells, if anybody listens, how many time steps of a stage are done; announces the stage at once."""
    began = time.perf_counter()

    def tell(done: int) -> None:
        if progress is not None:
            seconds = time.perf_counter() - began
            progress(Iteration(stage=stage, number=done, total=total, seconds=seconds))

    tell(0)
    return tell


def _solved_keys(solver: FrameSolver, first: int, end: int, rest: DesignPoint) -> Iterator[tuple[int, DesignPoint]]:
    """Steps of one motion that are solved one after the other, with what was found."""
    k, here = first, solver.solved(np.array([first]), rest, tolerance=1e-2).point
    yield k, here
    while k < end - 1:
        stride = min(_STRIDE, end - 1 - k)
        while True:
            found = _unwound(solver.problem, solver.solved(np.array([k + stride]), here, tolerance=1e-2).point, here)
            if stride == 1 or np.max(np.abs(found.controls - here.controls), initial=0.0) <= _NEAR:
                break
            stride //= 2
        k, here = k + stride, found
        yield k, here


def _unwound(problem: Problem, point: DesignPoint, before: DesignPoint) -> DesignPoint:
    """A point whose hinges without limits are less than half a turn from where they were: whole turns are the same."""
    hinges = {joint.name for joint in problem.character.joints if joint.type is JointType.REVOLUTE}
    hinge = np.array([name in hinges for name in problem.mechanism.control_names], dtype=bool)
    free = hinge & np.isinf(problem.limits.controls).all(axis=0)
    turns = np.round((point.controls - before.controls) / (2.0 * np.pi))
    return replace(point, controls=point.controls - 2.0 * np.pi * np.where(free, turns, 0.0))


def rest_point(mechanism: Mechanism, design: np.ndarray) -> DesignPoint:
    """The rest pose with a design, or a pose near it where rest is singular."""
    point, fine = closed(mechanism, DesignPoint(design, mechanism.controls[None], mechanism.state[None]))
    jacobians = constraint_jacobians(mechanism, point.states, point.controls, design)
    if fine[0] and factor_constraints(mechanism, jacobians.state).determinant_sign[0] != 0.0:
        return point
    state = mechanism.generic_state[None]
    controls = joint_coordinates(mechanism, state).columns(mechanism.control_names)
    return closed(mechanism, DesignPoint(design, controls, state))[0]


class FrameSolver:
    """Damped Gauss-Newton at many steps at once, each with a damping of its own."""

    def __init__(self, problem: Problem) -> None:
        """For the steps of one problem."""
        self.problem = problem
        self._analysis: Any = None

    def solved(
        self,
        chosen: np.ndarray,
        start: DesignPoint,
        *,
        tolerance: float = 1e-4,
        tell: Callable[[int], None] = lambda _: None,
    ) -> Evaluation:
        """The best controls at some steps.

        Args:
            chosen: Which steps, shape [chosen].
            start: With closed loops, one row for each.
            tolerance: Share of the objective by which it must fall for another round.
            tell: Told after every round how many of the steps are done.
        """
        controls, states = start.controls.copy(), start.states.copy()
        damping, busy = np.full(len(chosen), 1e-3), np.arange(len(chosen))
        rounds = _ROUNDS
        while len(busy) and rounds:
            point = DesignPoint(start.design, controls[busy], states[busy])
            point, damping, still, rounds = self._rounds(
                chosen[busy], point, damping, tolerance, rounds, lambda left: tell(len(chosen) - left)
            )
            controls[busy], states[busy] = point.controls, point.states
            busy, damping = busy[still], damping[still]
        tell(len(chosen))
        problem = self.problem.at_steps(chosen)
        found = DesignPoint(start.design, controls, states)
        return evaluated(problem, found, _held(problem, start), velocities_count=False)

    def _rounds(
        self,
        chosen: np.ndarray,
        start: DesignPoint,
        damping: np.ndarray,
        tolerance: float,
        rounds: int,
        tell: Callable[[int], None],
    ) -> tuple[DesignPoint, np.ndarray, np.ndarray, int]:
        """Goes on until half of the steps are done: where they are, their damping, which are not done, rounds left."""
        problem = self.problem.at_steps(chosen)
        mechanism, references = problem.mechanism, _held(problem, start)
        builder = ProgramBuilder(problem, linked=False)
        here = evaluated(problem, start, references, velocities_count=False)
        busy = np.ones(len(chosen), dtype=bool)
        while rounds and 2 * np.count_nonzero(busy) > len(busy):
            rounds -= 1
            try:
                step = search_direction(builder.program(here, references, damping=damping), analysis=self._analysis)
            except SingularMatrixError:
                return here.point, damping, np.zeros_like(busy), 0
            self._analysis = step.analysis
            controls, states = here.point.controls + step.du, here.point.states + step.ds[:, : builder.states]
            trial, fine = closed(mechanism, normalized_point(mechanism, DesignPoint(start.design, controls, states)))
            found = evaluated(problem, trial, references, velocities_count=False)
            old, new = here.objective.by_step, found.objective.by_step
            better = busy & fine & (new < old)
            busy &= ~better | (old - new > tolerance * (old + 1e-9))
            damping = np.where(better, damping / 5.0, damping * 8.0)
            busy &= damping < _MOST_DAMPING
            tell(int(np.count_nonzero(busy)))
            if better.all():
                here = found
            elif better.any():
                controls = np.where(better[:, None], trial.controls, here.point.controls)
                states = np.where(better[:, None], trial.states, here.point.states)
                here = evaluated(
                    problem, DesignPoint(start.design, controls, states), references, velocities_count=False
                )
        return here.point, damping, busy, rounds


def _held(problem: Problem, start: DesignPoint) -> References:
    """Controls are pulled to their given profiles, or gently to where they began; far from rest, rest misleads."""
    return References(start.design, np.where(np.isfinite(problem.references), problem.references, start.controls))


def closed(mechanism: Mechanism, point: DesignPoint, *, rounds: int = 6) -> tuple[DesignPoint, np.ndarray]:
    """States near a point at which the kept rows hold, and at which steps they were found.

    Args:
        mechanism: Whose rows.
        point: Near.
        rounds: Newton steps at most.
    """
    states = point.states
    worst = np.full(len(states), np.inf)
    with np.errstate(invalid="ignore", over="ignore"):
        for n in range(rounds + 1):
            found = constraint_jacobians(mechanism, states, point.controls, point.design)
            worst = np.max(np.abs(found.values), axis=1)
            if n == rounds or not np.any(worst > _CLOSED):
                break
            step = factor_constraints(mechanism, found.state).solve(found.values)
            step[~(np.max(np.abs(step), axis=1) < 1.0)] = 0.0  # lost, or singular
            states = normalized_point(mechanism, DesignPoint(point.design, point.controls, states - step)).states
    return DesignPoint(point.design, point.controls, states), worst <= _CLOSED


def spans_of(problem: Problem) -> list[tuple[int, int]]:
    """First step and end of every motion."""
    return list(zip(problem.starts, [*problem.starts[1:], problem.step_count], strict=True))


def _alike(states: np.ndarray, others: np.ndarray) -> np.ndarray:
    """States with the signs of their quaternions as in others."""
    found = states.copy().reshape(len(states), -1, 7)
    other = others.reshape(len(states), -1, 7)
    found[..., 3:] *= np.where(np.sum(found[..., 3:] * other[..., 3:], axis=2, keepdims=True) < 0.0, -1.0, 1.0)
    return found.reshape(states.shape)


def _continuous(states: np.ndarray) -> np.ndarray:
    """States whose quaternions do not change sign from step to step."""
    turns = states.reshape(len(states), -1, 7)[..., 3:]
    flips = np.where(np.sum(turns[1:] * turns[:-1], axis=2) < 0.0, -1.0, 1.0)
    signs = np.vstack([np.ones((1, flips.shape[1])), np.cumprod(flips, axis=0)])
    found = states.copy().reshape(len(states), -1, 7)
    found[..., 3:] *= signs[..., None]
    return found.reshape(states.shape)
