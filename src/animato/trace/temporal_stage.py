"""The temporal stage: when the robot should be where on its path.

After Luo and Hauser: Interactive Generation of Dynamically Feasible Robot Trajectories from Sketches Using Temporal
Mimicking (2012), Section IV.C, written in b = s'^2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.solvers.timing_arrays import ABSOLUTE, FIXED_DURATION, TimingArrays
from animato.solvers.timing_bound import timing_lower_bound
from animato.solvers.timing_solver import TimingSolution, solve_timing
from animato.trace.axis_limits import axis_limits
from animato.trace.drawn_timing import DrawnTiming
from animato.trace.joint_path import JointPath
from animato.trace.limit_rows import LimitRows, build_limit_rows, grid_dynamics
from animato.trace.limit_shares import worst_shares
from animato.trace.path_dynamics import PathDynamics
from animato.trace.time_scaling import TimeScaling
from animato.trace.timing_grid import build_timing_grid
from animato.trace.timing_problem import TimingOptions, build_timing_problem, drawn_b, feasible_start, tempo_lock_b

_BOUND_STARTS = ((0.9, 1.0), (0.8, 0.3), (0.9, 0.1))  # share of the answer, and gap that is assumed there
_SPEED_ROUNDS = 4  # of re-linearizing torques that depend on the speed itself


def solve_time_scaling(
    character: Character, path: JointPath, drawn: DrawnTiming, options: TimingOptions | None = None
) -> TimeScaling:
    """Finds the time scaling with the smallest beta * timing error + gamma * duration inside all limits.

    Args:
        character: Whose limits hold.
        path: Where the joints go.
        drawn: The timing to mimic.
        options: Weights and wishes.

    Raises:
        MotionError: A joint cannot hold the robot still somewhere on the path, nothing limits the speed, or the
            wanted duration is too short.
    """
    options = options or TimingOptions()
    stage = build_stage(character, path, drawn, options)
    solution = solve_timing(stage.problem, stage.start, None, stage.start_bends)
    if options.torque and axis_limits(character).speed_matters:
        for _ in range(_SPEED_ROUNDS):
            reference = solution.b / stage.unit**2
            stage = build_stage(character, path, drawn, options, stage.dynamics, reference)
            solution = solve_timing(stage.problem, stage.start, None, stage.start_bends)
    return _time_scaling(character, stage, solution, options)


@dataclass(frozen=True, eq=False)
class TemporalStage:
    """The problem of one path and timing, ready to be solved.

    Attributes:
        grid: s, [N + 1].
        dynamics: At the places of the grid.
        rows: Limits.
        problem: In units of `unit`.
        start: Strictly feasible b, in the same units, [N + 1].
        start_bends: The bends that belong to it, [N].
        unit: Of time [s].
    """

    grid: np.ndarray
    dynamics: PathDynamics
    rows: LimitRows
    problem: TimingArrays
    start: np.ndarray
    start_bends: np.ndarray
    unit: float


def build_stage(
    character: Character,
    path: JointPath,
    drawn: DrawnTiming,
    options: TimingOptions,
    dynamics: PathDynamics | None = None,
    reference: np.ndarray | None = None,
) -> TemporalStage:
    """Evaluates the dynamics, collects the limits, and finds a start.

    Args:
        character: Whose limits hold.
        path: Where the joints go.
        drawn: The timing to mimic.
        options: Weights and wishes.
        dynamics: Of the same path and options, where known from before.
        reference: b [1/s^2] near which torques that depend on the speed itself are treated best; the drawing's where
            not given, [N + 1].
    """
    pauses = np.array([s for s, _ in drawn.pauses])
    grid = build_timing_grid(path.knots, pauses, options.segments)
    rests = np.zeros(len(grid), dtype=bool)
    rests[0] = rests[-1] = True
    rests[[int(np.argmin(np.abs(grid - s))) for s in pauses]] = True
    dynamics = dynamics or grid_dynamics(character, path, grid)
    near = drawn_b(drawn, grid) if reference is None else reference
    rows = build_limit_rows(
        character,
        dynamics,
        grid,
        lock=tempo_lock_b(drawn, grid) if options.tempo_lock else np.full(len(grid), np.inf),
        rests=rests,
        reference=np.maximum(0.5 * (near[1:] + near[:-1]), 1e-4 * near.max()),  # never quite at rest
        with_torque=options.torque,
    )
    b, bends = feasible_start(drawn, grid, rests, rows, options), np.zeros(len(grid) - 1)
    unit = _duration(grid, b)
    problem = build_timing_problem(drawn, grid, rests, rows, options, unit)
    b = b * unit**2
    if problem.mode == FIXED_DURATION:
        b, bends = _start_of_that_duration(problem, b, unit)
    return TemporalStage(grid, dynamics, rows, problem, b, bends, unit)


def _duration(grid: np.ndarray, b: np.ndarray) -> float:
    speed = np.sqrt(b)
    return float(np.sum(2.0 * np.diff(grid) / (speed[1:] + speed[:-1])))


def _start_of_that_duration(problem: TimingArrays, b: np.ndarray, unit: float) -> tuple[np.ndarray, np.ndarray]:
    """A feasible b, and bends, whose motion takes about the wanted time: slower is always allowed."""
    bends = np.zeros(len(problem.widths))
    moving = _duration(np.append(0.0, np.cumsum(problem.widths)), b)
    rest = float(problem.least_wait.sum())
    room = problem.duration - rest
    if moving > 0.95 * room:
        quick = problem._replace(
            weights=np.zeros_like(problem.weights),
            mode=ABSOLUTE,
            gamma=1.0,
            may_wait=np.zeros_like(problem.may_wait),
            least_wait=np.zeros_like(problem.least_wait),
        )
        fastest = solve_timing(quick, b, tolerance=1e-4)
        b, bends, moving = fastest.b, fastest.bends, float(fastest.times[-1, 2])
    if moving >= room:
        raise MotionError(
            f"A duration of {problem.duration * unit:.4g} s is too short: with these limits the motion takes at least "
            f"{(moving + rest) * unit:.4g} s. Ask for more, or give the robot more."
        )
    waits = 0.1 * float(problem.may_wait.sum())
    wanted = room - waits if room - waits > moving else 0.5 * (room + moving)
    share = (moving / wanted) ** 2
    return b * share, bends * share


def _time_scaling(
    character: Character, stage: TemporalStage, solution: TimingSolution, options: TimingOptions
) -> TimeScaling:
    problem, grid, unit = stage.problem, stage.grid, stage.unit
    b, bends = solution.b / unit**2, solution.bends / unit**2
    times = np.append(0.0, solution.times[:, 2]) * unit
    bound = np.nan
    if options.certificate:
        bound = certified_bound(problem, solution, stage.rows.highest * unit**2)
    error = solution.objective - problem.gamma * solution.times[-1, 2]
    return TimeScaling(
        s=grid,
        b=b,
        bends=bends,
        times=times,
        waits=solution.waits * unit,
        objective=solution.objective,
        timing_error=error / options.beta if options.beta > 0.0 else np.nan,
        lower_bound=bound,
        outcome=solution.outcome,
        worst_shares=worst_shares(axis_limits(character), stage.dynamics, grid, b, bends, options.torque),
    )


def certified_bound(problem: TimingArrays, solution: TimingSolution, highest: np.ndarray) -> float:
    """The largest lower bound that the answer's own multipliers or those of the relaxation prove."""
    longest = problem.duration if problem.mode == FIXED_DURATION else 1e3 * float(solution.times[-1, 2])
    if problem.gamma > 0.0 and problem.mode != FIXED_DURATION:
        longest = min(longest, solution.objective / problem.gamma)
    own = timing_lower_bound(problem, solution, highest, longest)
    if own >= (1.0 - 1e-5) * solution.objective:
        return own
    relaxed = problem._replace(relaxed=True)
    best = max(0.0, own)
    for share, gap in _BOUND_STARTS:
        # slower than the answer, and so away from the limits; a start that does not get there leaves a poor bound
        answer = solve_timing(
            relaxed, share * solution.b, solution.waits, share * solution.bends, tolerance=2e-7, gap=gap
        )
        best = max(best, timing_lower_bound(relaxed, answer, highest, longest))
        if answer.outcome.solved:
            break
    return best
