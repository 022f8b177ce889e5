"""Solves a mimic problem: the whole clip at once, in windows where it is long, slower where physics demands it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.bearing import load_bearing
from animato.mimic.optimization.rows import Misses
from animato.mimic.optimization.slowing import slowed
from animato.mimic.optimization.solution import Solution, clip_of
from animato.mimic.optimization.stages import KINEMATIC, LOADING, WHOLE, Found, Stage, run_stage
from animato.mimic.optimization.starting import controls_of_clip, standing_controls
from animato.mimic.optimization.verdict import judged
from animato.mimic.optimization.windows import Window, joined, part_of, windows_of
from animato.mimic.problem import Problem
from animato.motion import Clip
from animato.outcome import Iteration, Outcome, Progress, Status

_LONGER = 2  # times as many rounds where the first were not enough for balance
_SLOWER_ROUNDS = 4  # tries with ever more time
_BALANCED_M = 2e-3  # of the ZMP
_SAME = 1e-3  # of the objective: motions nearer to each other are the same


@dataclass(frozen=True, eq=False)
class _Piece:
    """What is kept of a window: numbers at the knots that it decides, and control points of all its knots."""

    window: Window
    controls: ControlPoints
    kinematic: ControlPoints
    errors: np.ndarray
    kinematic_errors: np.ndarray
    forces: np.ndarray
    torques: np.ndarray
    wrench: np.ndarray
    scale: float
    objective: float
    misses: Misses
    outcome: Outcome


@dataclass(frozen=True, eq=False)
class _Whole:
    """A whole clip: what the last stage of its windows found, put together."""

    controls: ControlPoints
    kinematic: ControlPoints
    errors: np.ndarray
    kinematic_errors: np.ndarray
    forces: np.ndarray
    torques: np.ndarray
    worst_wrench: np.ndarray
    scale: float
    objective: float
    misses: Misses
    outcome: Outcome

    @property
    def rank(self) -> tuple[bool, float]:
        """The less, the better: soles give what it needs; then the objective, ahead by more than the tolerance."""
        return bool(self.worst_wrench.max(initial=0.0) > _BALANCED_M), self.objective


def solve(problem: Problem, *, start: Solution | Clip | None = None, progress: Progress | None = None) -> Solution:
    """Solves a problem.

    Args:
        problem: What is asked for.
        start: An earlier solution, or a clip of the robot. The search begins with a robot that stands; where a start is
            given it also begins there, goes all the way, and the better of both motions is the answer. So a start can
            help, but a bad one does no harm.
        progress: Told of every round.
    """
    begin = time.perf_counter()
    history: list[Iteration] = []

    def tell(iteration: Iteration) -> None:
        history.append(iteration)
        if progress is not None:
            progress(iteration)

    whole = _whole(problem, None, tell)
    if start is not None:
        given = start.clip if isinstance(start, Solution) else start
        other = _whole(problem, controls_of_clip(problem, given), tell)
        better = other.rank < (whole.rank[0], (1.0 - _SAME) * whole.objective)
        whole = other if better else whole
    for _ in range(_SLOWER_ROUNDS if problem.options.slow_down else 0):
        height = float(np.median(whole.controls.places[:, 2]))
        slower = slowed(problem, whole.controls, whole.torques, whole.worst_wrench, whole.errors, height)
        if slower is None:
            break
        problem = slower
        whole = _whole(problem, None, tell)
    outcome, notes = judged(
        problem, whole.torques, whole.worst_wrench, whole.controls, whole.misses, outcome=whole.outcome
    )
    planted, _ = load_bearing(problem.plan)
    return Solution(
        problem=problem,
        outcome=outcome,
        controls=whole.controls,
        kinematic=clip_of(problem, whole.kinematic),
        errors=whole.errors,
        kinematic_errors=whole.kinematic_errors,
        forces=whole.forces,
        planted=planted,
        torques=whole.torques,
        scale=whole.scale,
        slowed_percent=problem.slowed_percent,
        history=tuple(history),
        seconds=time.perf_counter() - begin,
        notes=(*problem.notes, *notes),
    )


def _whole(problem: Problem, start: ControlPoints | None, tell: Progress) -> _Whole:
    """All windows, one after the other; each begins on what the one before has found."""
    standing = start or standing_controls(problem)
    pieces: list[_Piece] = []
    for window in windows_of(len(problem.times)):
        decided = [one.controls for one in pieces], [one.window for one in pieces]
        pieces.append(_piece(problem, window, window.first_controls(standing, *decided), tell))
    return _Whole(
        controls=joined([(one.window, one.controls) for one in pieces]),
        kinematic=joined([(one.window, one.kinematic) for one in pieces]),
        errors=np.concatenate([one.errors for one in pieces]),
        kinematic_errors=np.concatenate([one.kinematic_errors for one in pieces]),
        forces=np.concatenate([one.forces for one in pieces]),
        torques=np.concatenate([one.torques for one in pieces]),
        worst_wrench=np.concatenate([one.wrench for one in pieces]),
        scale=pieces[0].scale,
        objective=sum(one.objective for one in pieces),
        misses=Misses.largest([one.misses for one in pieces]),
        outcome=_worst([one.outcome for one in pieces]),
    )


def _piece(problem: Problem, window: Window, begin: tuple[ControlPoints, int], tell: Progress) -> _Piece:
    """One window through all stages."""
    piece, (controls, held) = part_of(problem, window), begin
    kinematic = run_stage(piece, KINEMATIC, controls, problem.scale, held=held, progress=tell)
    last = kinematic
    if problem.options.balance:
        for stage in (*LOADING, _allowed(problem)):
            last = run_stage(piece, stage, last.controls, last.scale, before=last, held=held, progress=tell)
        if _wrench_miss(last).max(initial=0.0) > _BALANCED_M:  # hard cases need longer, before time has to give way
            longer = replace(_allowed(problem), rounds=_LONGER * problem.options.rounds)
            last = run_stage(piece, longer, last.controls, last.scale, before=last, held=held, progress=tell)
    return _Piece(
        window=window,
        controls=last.controls,
        kinematic=kinematic.controls,
        errors=np.linalg.norm(last.point.errors, axis=2)[window.own],
        kinematic_errors=np.linalg.norm(kinematic.point.errors, axis=2)[window.own],
        forces=last.point.motion.forces[window.own].copy(),
        torques=_torques(last)[window.own].copy(),
        wrench=_wrench_miss(last)[window.own],
        scale=last.scale,
        objective=last.point.cost,
        misses=last.model.limits.misses(last.miss),
        outcome=last.outcome,
    )


def _allowed(problem: Problem) -> Stage:
    options = problem.options
    return replace(WHOLE, rounds=options.rounds, tolerance=options.tolerance)


def _torques(found: Found) -> np.ndarray:
    tau = found.point.motion.tau
    return tau if len(tau) else np.full((len(found.point.errors), found.model.dofs), np.nan)


def _wrench_miss(found: Found) -> np.ndarray:
    """The wrench that nothing gives, in metres of the ZMP, [knot]."""
    tau = found.point.motion.tau
    if not len(tau):
        return np.zeros(len(found.point.errors))
    return np.asarray(np.abs(tau[:, :6] * found.model.wrench_scale).max(axis=1))


def _worst(outcomes: list[Outcome]) -> Outcome:
    steps = sum(one.iterations for one in outcomes)
    unsolved = [one for one in outcomes if one.status is not Status.SOLVED]
    return replace((unsolved or outcomes)[0], iterations=steps)
