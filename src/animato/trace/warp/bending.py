"""From a time scaling that switches its accelerations to one that holds limits of jerk, or spares the motors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character
from animato.outcome import Outcome, Progress, Stage, Status
from animato.trace.options import Options
from animato.trace.path import JointPath
from animato.trace.sketch import DrawnTiming
from animato.trace.timing import AxisLimits, TimeScaling, axis_limits, path_dynamics, settled_clip, solve_time_scaling
from animato.trace.warp.motion_warp import Warp, build_warp, rates_at, rebased
from animato.trace.warp.node_scaling import node_scaling
from animato.trace.warp.warp_limits import warp_shares
from animato.trace.warp.warp_program import INSIDE, WarpProgram
from animato.trace.warp.warp_search import WarpAnswer, search

_CHECKED = (np.arange(10) + 0.5) / 10.0  # places inside of a piece that the program does not know
_REBASED = 2  # times that the answer becomes the warp
_ROUNDS = 5  # of leaving more room for what is between places
_FIRST_ROOM = 0.998
_PIECES_A_RAMP = 8.0
_FEWEST, _MOST = 120, 1200  # pieces
_LONGEST_RAMP = 0.1  # of the motion
_SLOWER = 1.15  # the start, at least
_HARDLY_SLOWED = 1.002  # frames that hold all limits at this price are as good as any
_SMOOTH = 0.02  # of the motion: the ramp where jerk has no limits


def solve_timing(
    character: Character,
    path: JointPath,
    drawn: DrawnTiming,
    options: Options | None = None,
    *,
    progress: Progress | None = None,
) -> TimeScaling:
    """The best timing inside all limits: those of jerk and effort, too, where the options ask for them.

    Args:
        character: Whose limits hold.
        path: Where the joints go.
        drawn: The timing to mimic.
        options: Weights and wishes.
        progress: Told of every solve.

    Raises:
        MotionError: A joint cannot hold the robot still somewhere on the path, nothing limits the speed, or the
            wanted duration is too short.
    """
    options = options or Options()
    scaling = solve_time_scaling(character, path, drawn, options, progress=progress)
    limited = options.jerk and bool(np.any(np.isfinite(axis_limits(character).jerk)))
    if options.effort > 0.0 or (limited and not _frames_hold(character, path, scaling, options)):
        return bent_scaling(character, path, drawn, scaling, options, progress=progress)
    return scaling


def _frames_hold(character: Character, path: JointPath, scaling: TimeScaling, options: Options) -> bool:
    """Whether accelerations that jump do so by so little that their change within two frames is inside the limits."""
    settled = settled_clip(character, path, scaling, options)
    return settled.slowed <= _HARDLY_SLOWED and max(settled.peaks.values()) <= 1.0


def bent_scaling(
    character: Character,
    path: JointPath,
    drawn: DrawnTiming,
    scaling: TimeScaling,
    options: Options,
    *,
    progress: Progress | None = None,
) -> TimeScaling:
    """The best motion near a time scaling with limits of jerk, where wanted, and with effort in its objective.

    Args:
        character: Whose limits hold.
        path: Where.
        drawn: The timing to mimic.
        scaling: The best one without limits of jerk and without effort: the start, and its bound a lower one here too.
        options: Weights and wishes.
        progress: Told of every program.
    """
    told = Stage("bending the timing", progress)
    ramp, slower = _ramp(character, path, scaling, axis_limits(character, options.bounds), options)
    pieces = int(np.clip(_PIECES_A_RAMP * scaling.duration * slower / ramp, _FEWEST, _MOST))
    warp = build_warp(scaling, ramp / slower, pieces)
    t = warp.centres * (slower if options.duration_s is None else options.duration_s / warp.nodes[-1])
    steps = 0
    for number in range(_REBASED + 1):
        # a warp that is nearly the answer leaves little to bend, and little happens between its places then
        if number > 0:
            warp = rebased(warp, t, path.knots, pieces)
            t = warp.centres
        program = _program(character, path, drawn, warp, options)
        answer = search(program, t, told)
        t, steps = answer.t, steps + answer.steps
    between = Between(character, path, program)
    for _ in range(_ROUNDS):
        largest, worst = between.shares(t)
        over = largest - 1.0
        if over.max() <= 0.0:
            break
        program = replace(program, room=program.room - np.repeat(np.where(over > 0.0, 1.1 * over + 1e-3, 0.0), 3))
        answer = search(program, t, told)
        t, steps = answer.t, steps + answer.steps
    _, worst = between.shares(t)
    return _scaling(program, answer, scaling, worst, steps, between.count + len(program.places))


def _program(character: Character, path: JointPath, drawn: DrawnTiming, warp: Warp, options: Options) -> WarpProgram:
    rates = rates_at(character, path, warp, warp.places(INSIDE), options.bounds)
    room = np.full(len(rates.dq), _FIRST_ROOM)
    return WarpProgram(warp, rates, axis_limits(character, options.bounds), drawn, options, room)


class Between:
    """Limits at places that a program does not know."""

    def __init__(self, character: Character, path: JointPath, program: WarpProgram) -> None:
        r = program.warp.places(_CHECKED)
        self.count, self.program = len(r), program
        self.rates = rates_at(character, path, program.warp, r, program.options.bounds)
        first, values = program.warp.basis(r)
        self.columns, self.values = first[:, None] + np.arange(4), values[:, 1:]

    def shares(self, t: np.ndarray) -> tuple[np.ndarray, dict[str, float]]:
        """The largest share of any limit in every piece, [N], and of each kind, the places of the program included."""
        program = self.program
        bent = np.einsum("mkc,mc->mk", self.values, t[self.columns])
        shares, known = warp_shares(self.rates, program.limits, bent, program.kinds), program.shares(t)
        worst = shares.largest()
        for kind, share in known.largest().items():
            worst[kind] = max(worst[kind], share)
        largest = shares.values.max(axis=1).reshape(-1, len(_CHECKED)).max(axis=1)
        return np.maximum(largest, known.values.max(axis=1).reshape(-1, 3).max(axis=1)), worst


def _ramp(
    character: Character, path: JointPath, scaling: TimeScaling, limits: AxisLimits, options: Options
) -> tuple[float, float]:
    """How long the accelerations of a scaling take to come about [s], slowed so much that this is not too long."""
    dynamics = path_dynamics(character, path, scaling.s)
    push = np.append(np.diff(scaling.b) / (2.0 * np.diff(scaling.s)), 0.0)[:, None]
    used = np.abs(dynamics.dq * push + dynamics.ddq * scaling.b[:, None]).max(axis=0)
    with np.errstate(invalid="ignore"):
        ramps = np.where(np.isfinite(limits.jerk), used / limits.jerk, 0.0)
    ramp = float(ramps.max(initial=0.0)) if options.jerk else 0.0
    ramp = max(ramp, _SMOOTH * scaling.duration if ramp == 0.0 else 1e-3 * scaling.duration)
    # n times as slow, accelerations are 1/n^2 and so are ramps, of a motion that lasts n times as long
    slower = max(_SLOWER, (ramp / (_LONGEST_RAMP * scaling.duration)) ** (1.0 / 3.0))
    return ramp / slower**2, slower


def _scaling(
    program: WarpProgram, answer: WarpAnswer, before: TimeScaling, worst: dict[str, float], steps: int, places: int
) -> TimeScaling:
    t, options = answer.t, program.options
    words = f"{before.outcome.reason} Then {steps} programs with "
    words += " and ".join(["limits of jerk"] * options.jerk + ["effort"] * (options.effort > 0.0))
    outcome = Outcome(before.outcome.status, f"{words}.", before.outcome.iterations + steps)
    if not answer.converged and before.outcome.solved:
        outcome = replace(outcome, status=Status.ACCEPTABLE, reason=f"{words}; a little may still be gained.")
    error = float(program.weights @ program.lateness(t) ** 2)
    return replace(
        node_scaling(program.warp, t, before),
        objective=program.objective(t),
        timing_error=error / options.beta if options.beta > 0.0 else np.nan,
        outcome=outcome,
        worst_shares=worst,
        checked_places=places,
    )
