"""The temporal stage: when the robot should be where on its path.

After Luo and Hauser: Interactive Generation of Dynamically Feasible Robot Trajectories from Sketches Using Temporal
Mimicking (2012), Section IV.C, written in b = s'^2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.outcome import Progress, Stage
from animato.solvers.timing import (
    ABSOLUTE,
    FIXED_DURATION,
    TimingArrays,
    TimingSolution,
    sharper_bound,
    solve_timing,
    timing_lower_bound,
)
from animato.trace.options import Options
from animato.trace.path import JointPath
from animato.trace.sketch import DrawnTiming
from animato.trace.timing.axis_limits import axis_limits
from animato.trace.timing.grid import build_timing_grid, refined_grid
from animato.trace.timing.limit_rows import CoarseGridError, LimitRows, build_limit_rows, grid_dynamics
from animato.trace.timing.limit_shares import CHECKED, shares_inside, worst_shares
from animato.trace.timing.path_dynamics import PathDynamics
from animato.trace.timing.problem import build_timing_problem, drawn_b, feasible_start, tempo_lock_b
from animato.trace.timing.segment_rows import PLACES
from animato.trace.timing.time_scaling import TimeScaling

_BOUND_STARTS = ((0.9, 1.0), (0.9, 0.1), (0.8, 0.3))  # share of the answer, and gap that is assumed there
_BOUND_ITERATIONS = 150
_GOOD_BOUND = 0.998  # of the objective: no better one is sought
_FAIR_BOUND = 0.9955  # where it is worse, it is sharpened
_REFINEMENTS = 4  # of segments that are too long, each time into four
_CHECK_ROUNDS = 4  # of giving segments more room that turned out to use more than all of a motor
_OVER = 1e-9  # share of a limit that rounding may add
_SPEED_ROUNDS = 4  # of re-linearizing torques that depend on the speed itself


def solve_time_scaling(
    character: Character,
    path: JointPath,
    drawn: DrawnTiming,
    options: Options | None = None,
    *,
    progress: Progress | None = None,
) -> TimeScaling:
    """Finds the time scaling with the smallest beta * timing error + gamma * duration inside all limits but jerk.

    Its accelerations may jump. `trace.warp.solve_timing` goes on from it with limits of jerk and with effort.

    Args:
        character: Whose limits hold.
        path: Where the joints go.
        drawn: The timing to mimic.
        options: Weights and wishes.
        progress: Told of every solve: limits are met closer and closer.

    Raises:
        MotionError: A joint cannot hold the robot still somewhere on the path, nothing limits the speed, or the
            wanted duration is too short.
    """
    options = options or Options()
    if options.beta == 0.0 and options.gamma == 0.0:
        options = replace(options, beta=1.0)  # of all motions that last as long, the drawn one is a good start
    told = Stage("timing the path", progress)
    stage = build_stage(character, path, drawn, options)
    solution = solve_timing(stage.problem, stage.start, None, stage.start_bends)
    told.step(solution.objective)
    if options.torque and axis_limits(character, options.bounds).speed_matters:
        for _ in range(_SPEED_ROUNDS):
            reference = solution.b / stage.unit**2
            stage = build_stage(character, path, drawn, options, stage.dynamics, reference)
            solution = solve_timing(stage.problem, stage.start, None, stage.start_bends)
            told.step(solution.objective)
    checked = _checked(character, path, drawn, options, stage, solution, told)
    return _time_scaling(character, *checked, options, progress)


def _checked(
    character: Character,
    path: JointPath,
    drawn: DrawnTiming,
    options: Options,
    stage: TemporalStage,
    solution: TimingSolution,
    told: Stage,
) -> tuple[TemporalStage, TimingSolution, np.ndarray]:
    """The answer once inverse dynamics itself finds nothing beyond the limits inside segments, and its shares there.

    Rows leave out what cubics are estimated to miss of the torques. Where that was too little, the segments get more
    room, or are cut into pieces where there is none, and all is solved again.
    """
    margins = np.zeros(len(stage.grid) - 1)
    for attempt in range(_CHECK_ROUNDS + 1):
        b = solution.b / stage.unit**2
        shares = shares_inside(character, path, stage.grid, b, solution.bends / stage.unit**2, CHECKED, options.bounds)
        over = shares[:, 2] - 1.0
        if not options.torque or over.max() <= _OVER or attempt == _CHECK_ROUNDS:
            break
        margins = margins + np.where(over > _OVER, 1.5 * over + _OVER, 0.0)
        reference = b if axis_limits(character, options.bounds).speed_matters else None
        try:
            stage = build_stage(character, path, drawn, options, stage.dynamics, reference, margins)
        except CoarseGridError as coarse:
            finer = grid_dynamics(character, path, refined_grid(stage.grid, coarse.segments), options.bounds)
            stage = build_stage(character, path, drawn, options, finer)
            margins = np.zeros(len(stage.grid) - 1)
        solution = solve_timing(stage.problem, stage.start, None, stage.start_bends)
        told.step(solution.objective)
    return stage, solution, shares


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
    options: Options,
    dynamics: PathDynamics | None = None,
    reference: np.ndarray | None = None,
    margins: np.ndarray | None = None,
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
        margins: Share of the torque limits that is to be left free on each segment, [N].
    """
    pauses = np.array([s for s, _ in drawn.pauses])
    grid = build_timing_grid(path.knots, pauses, options.segments) if dynamics is None else dynamics.s[::PLACES]
    dynamics = grid_dynamics(character, path, grid, options.bounds) if dynamics is None else dynamics
    for attempt in range(_REFINEMENTS + 1):
        rests = np.zeros(len(grid), dtype=bool)
        rests[0] = rests[-1] = True
        rests[[int(np.argmin(np.abs(grid - s))) for s in pauses]] = True
        near = drawn_b(drawn, grid) if reference is None else reference
        try:
            rows = build_limit_rows(
                character,
                dynamics,
                grid,
                lock=tempo_lock_b(drawn, grid) if options.tempo_lock else np.full(len(grid), np.inf),
                rests=rests,
                reference=np.maximum(0.5 * (near[1:] + near[:-1]), 1e-4 * near.max()),  # never quite at rest
                with_torque=options.torque,
                margins=margins,
                bounds=options.bounds,
            )
            break
        except CoarseGridError as coarse:
            if attempt == _REFINEMENTS or margins is not None or reference is not None:
                raise
            grid = refined_grid(grid, coarse.segments)
            dynamics = grid_dynamics(character, path, grid, options.bounds)
    b, bends = feasible_start(drawn, grid, rests, rows, options), np.zeros(len(grid) - 1)
    unit = _duration(grid, b)
    problem = build_timing_problem(drawn, grid, rests, rows, options, unit)
    b = b * unit**2
    if problem.mode == FIXED_DURATION:
        b, bends = _start_of_that_duration(problem, b, unit, options.tempo_lock)
    return TemporalStage(grid, dynamics, rows, problem, b, bends, unit)


def _duration(grid: np.ndarray, b: np.ndarray) -> float:
    speed = np.sqrt(b)
    return float(np.sum(2.0 * np.diff(grid) / (speed[1:] + speed[:-1])))


def _start_of_that_duration(
    problem: TimingArrays, b: np.ndarray, unit: float, locked: bool
) -> tuple[np.ndarray, np.ndarray]:
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
        least = f"{(moving + rest) * unit:.4g} s"
        if locked:
            raise MotionError(
                f"A `duration_s` of {problem.duration * unit:.4g} is too short under the tempo lock, which never lets "
                f"the robot be faster than drawn: it takes at least {least} then. Ask for more, or switch off the "
                "`tempo_lock`."
            )
        raise MotionError(
            f"A `duration_s` of {problem.duration * unit:.4g} is too short: with these limits the motion takes "
            f"at least {least}. Ask for more, or give the robot more."
        )
    waits = 0.1 * float(problem.may_wait.sum())
    wanted = room - waits if room - waits > moving else 0.5 * (room + moving)
    share = (moving / wanted) ** 2
    return b * share, bends * share


def _time_scaling(
    character: Character,
    stage: TemporalStage,
    solution: TimingSolution,
    inside: np.ndarray,
    options: Options,
    progress: Progress | None,
) -> TimeScaling:
    problem, grid, unit = stage.problem, stage.grid, stage.unit
    b, bends = solution.b / unit**2, solution.bends / unit**2
    times = np.append(0.0, solution.times[:, 2]) * unit
    bound = np.nan
    if options.certificate:
        Stage("proving how good the timing is", progress)
        bound = certified_bound(problem, solution, stage.rows.highest * unit**2)
    shares = worst_shares(axis_limits(character, options.bounds), stage.dynamics, grid, b, bends, options.torque)
    for kind, share in zip(shares, inside.max(axis=0), strict=False):
        shares[kind] = max(shares[kind], float(share))
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
        worst_shares=shares,
        checked_places=len(bends) * (CHECKED + PLACES) + 1,
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
            relaxed,
            share * solution.b,
            solution.waits,
            share * solution.bends,
            tolerance=2e-7,
            gap=gap,
            most_iterations=_BOUND_ITERATIONS,
        )
        best = max(best, timing_lower_bound(relaxed, answer, highest, longest))
        if answer.outcome.solved or best >= _GOOD_BOUND * solution.objective:
            break
    if best < _FAIR_BOUND * solution.objective and solution.outcome.solved:
        best = sharper_bound(problem, solution, answer, best, highest, longest, enough=_FAIR_BOUND)
    return best
