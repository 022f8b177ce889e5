"""The motion filter of express beside Ruckig and beside equation 23 with clamps; rows for the benchmark `express`."""

from __future__ import annotations

import importlib
import importlib.util
from itertools import product
from typing import Any

import numpy as np

from animato.character.limits import Limits
from animato.express.filter.motion_filter import FilteredMotion, MotionFilter, follow
from animato.express.filter.report import SETTLED, step_response, worst_limit_share
from animato.express.published.printed_filter import printed_recursion
from benchmarks.row import Row, best_seconds

RATE = 1000.0
HEAD = Limits(lower=-1.5, upper=1.5, velocity=2.0, acceleration=10.0, jerk=100.0)
JOINTS = 8


def filter_rows(*, quick: bool) -> list[Row]:
    """All rows about the filter."""
    return [*settling_rows(quick=quick), *limit_rows(quick=quick), *ramp_rows(), *time_rows(quick=quick)]


def has_ruckig() -> bool:
    return importlib.util.find_spec("ruckig") is not None


def load_ruckig() -> Any:
    """The peer, which has no types and need not be installed."""
    return importlib.import_module("ruckig")


def settling_rows(*, quick: bool) -> list[Row]:
    """Steps over a grid of limits, sizes and rates; both are settled within a millionth of the step."""
    rates = (100.0, RATE) if quick else (50.0, 100.0, 250.0, RATE)
    ours, theirs = [], []
    for velocity, sharpness, softness, size, rate in product(
        (0.5, 2.0, 8.0), (2.0, 10.0), (3.0, 20.0), (0.1, 0.5, 2.0), rates
    ):
        limits = Limits(-3.0, 3.0, velocity, velocity * sharpness, velocity * sharpness * softness)
        ours.append(step_response(limits, rate, end=size).settling_s)
        if has_ruckig():
            theirs.append(ruckig_settling(limits, size))
    if not theirs:
        return [Row("filter.settle_s", float(np.mean(ours)), "s", "lower")]
    ratios = np.array(ours) / np.array(theirs)
    return [
        Row("filter.settle_s", float(np.mean(ours)), "s", "lower", "ruckig", float(np.mean(theirs))),
        Row("filter.settle_worst_ratio", float(ratios.max()), "of ruckig's time", "lower", "ruckig", 1.0),
    ]


def ruckig_settling(limits: Limits, size: float) -> float:
    """When the time-optimal motion, in continuous time, is within the same tolerance for good [s]."""
    ruckig = load_ruckig()

    task = ruckig.InputParameter(1)
    task.target_position = [size]
    task.max_velocity, task.max_acceleration, task.max_jerk = [limits.velocity], [limits.acceleration], [limits.jerk]
    trajectory = ruckig.Trajectory(1)
    ruckig.Ruckig(1).calculate(task, trajectory)
    before, after = 0.0, trajectory.duration
    while after - before > 1e-9:
        middle = (before + after) / 2.0
        if abs(trajectory.at_time(middle)[0][0] - size) > SETTLED * size:
            before = middle
        else:
            after = middle
    return float(after)


def recordings(frames: int) -> dict[str, np.ndarray]:
    """Set-points that ask for more than the limits allow, seeded, [frame]."""
    rng = np.random.default_rng(3)
    times = np.arange(frames) / RATE
    return {
        "steps": np.repeat(rng.uniform(-2, 2, frames // 500 + 1), 500)[:frames],
        "sines": 1.8 * np.sin(2 * np.pi * times * (0.2 + 0.2 * times)),
        "jumps": np.repeat(rng.choice([-2.0, 2.0], frames // 40 + 1), 40)[:frames],
        "random": rng.uniform(-2, 2, frames),
    }


def limit_rows(*, quick: bool) -> list[Row]:
    """Worst share of any limit, position included; the peer is equation 23 with time steps and clamps."""
    rows, worst, worst_peer = [], 0.0, 0.0
    for name, set_points in recordings(4000 if quick else 40000).items():
        ours = worst_limit_share(HEAD, follow((HEAD,), RATE, set_points[:, None]), 0)
        theirs = worst_limit_share(HEAD, motion_of(printed_recursion(HEAD, RATE, set_points, clamped=True)), 0)
        worst, worst_peer = max(worst, ours), max(worst_peer, theirs)
        rows.append(Row(f"filter.{name}.limit_share", ours, "of the limit", "lower", "equation 23, clamped", theirs))
    return [Row("filter.worst_limit_share", worst, "of the limit", "lower", "equation 23, clamped", worst_peer), *rows]


def motion_of(positions: np.ndarray) -> FilteredMotion:
    """Positions with what servos see of them: differences."""
    x = positions[:, None]
    v, a, j = (np.diff(x, k, axis=0, prepend=np.repeat(x[:1], k, axis=0)) * RATE**k for k in (1, 2, 3))
    return FilteredMotion(RATE, x, v, a, j, np.zeros(x.shape, dtype=np.bool_))


def ramp_rows() -> list[Row]:
    """Lag behind a target at 1 rad/s, once it is caught up with."""
    ramp = (np.arange(1, 2001) / RATE - 1.0)[:, None]
    ours = float((ramp - follow((HEAD,), RATE, ramp).positions)[-1, 0])
    if not has_ruckig():
        return [Row("filter.ramp_lag_s", ours, "s", "lower")]
    ruckig = load_ruckig()

    online, task, out = ruckig_online(1)
    task.current_position = [float(ramp[0, 0])]
    for target in ramp[:, 0]:
        task.target_position = [float(target)]
        if online.update(task, out) not in (ruckig.Result.Working, ruckig.Result.Finished):
            raise RuntimeError("ruckig refused a target")
        out.pass_to_input(task)
    theirs = float(ramp[-1, 0] - out.new_position[0])
    return [Row("filter.ramp_lag_s", ours, "s", "lower", "ruckig", theirs)]


def ruckig_online(joints: int) -> tuple[Any, Any, Any]:
    """Ruckig's online generator with its input and output, limits of `HEAD` on every joint."""
    ruckig = load_ruckig()

    task, out = ruckig.InputParameter(joints), ruckig.OutputParameter(joints)
    task.max_velocity, task.max_acceleration, task.max_jerk = (
        [value] * joints for value in (HEAD.velocity, HEAD.acceleration, HEAD.jerk)
    )
    task.synchronization = ruckig.Synchronization.No
    return ruckig.Ruckig(joints, 1.0 / RATE), task, out


def time_rows(*, quick: bool) -> list[Row]:
    """Time a joint a sample on new set-points every sample, called from Python once a sample, and in one batch."""
    frames = 1000 if quick else 10000
    set_points = np.sin(np.arange(frames)[:, None] / 300.0 + np.arange(JOINTS))
    limits = (HEAD,) * JOINTS
    motion_filter = MotionFilter(limits, RATE)

    def ours() -> None:
        for row in set_points:
            motion_filter.step(row)

    ours()
    follow(limits, RATE, set_points)
    share = 1e6 / set_points.size
    batch = best_seconds(lambda: follow(limits, RATE, set_points), 5) * share
    live = best_seconds(ours, 3) * share
    rows = [Row("filter.batch_us", batch, "us a joint a sample", "lower")]
    if not has_ruckig():
        return [Row("filter.step_us", live, "us a joint a sample", "lower"), *rows]
    online, task, out = ruckig_online(JOINTS)

    def theirs() -> None:
        for row in set_points:
            task.target_position = row
            online.update(task, out)
            out.pass_to_input(task)

    peer = best_seconds(theirs, 1 if quick else 3) * share
    return [Row("filter.step_us", live, "us a joint a sample", "lower", "ruckig", peer), *rows]
