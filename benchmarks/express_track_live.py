"""Two promises of the live loop: a near point that moves is looked at, and nothing moves while a target stands."""

from __future__ import annotations

import numpy as np

from animato.express.loop import Loop
from animato.express.problem import Target
from benchmarks.express_courses import REPORTED, Course, walk
from benchmarks.express_track_cases import RATE, build_case, postures
from benchmarks.express_track_followers import follow_live
from benchmarks.express_track_measures import errors
from benchmarks.row import Row

DISTANCE, HEIGHTS = 0.8, (0.6, 0.9)  # [m] of near points from the base
NEAR_SPEED = 12.0  # [deg/s]
NEAR_S, NEAR_SETTLED_S = 40.0, 3.0  # how long a near point moves, and from when on it counts
WALK_S, STILL_S = 20.0, 600.0  # a walk that stands for its last 5 s, and how long it stands on
QUICK_STILL_S = 60.0


def live_rows(*, quick: bool) -> list[Row]:
    """Rows `live.near_point_deg` and `still.motion_rad`."""
    characters = ("G",) if quick else ("G", "C", "lamp")
    near = max(near_point_deg(name, height) for name in characters for height in HEIGHTS)
    stands_s, seeds = (QUICK_STILL_S, REPORTED.seeds[:2]) if quick else (STILL_S, REPORTED.seeds[:3])
    still = max(still_motion_rad(name, seed, stands_s) for name in ("G", "C") for seed in seeds)
    return [
        Row("live.near_point_deg", near, "deg", "lower", "look_at", 0.0),
        Row("still.motion_rad", still, "rad", "lower"),
    ]


def near_point_deg(name: str, height: float) -> float:
    """Most that a character is off a point that swings before it, wherever `look_at` faces it [deg]."""
    angle = np.radians(70.0) * np.sin(np.radians(NEAR_SPEED) / np.radians(45.0) * np.arange(NEAR_S * RATE) / RATE)
    points = np.stack([DISTANCE * np.cos(angle), DISTANCE * np.sin(angle), np.full(len(angle), height)], axis=1)
    case = build_case(name, "curious", Course("near", RATE, points=points))
    _, off = errors(case, follow_live(case).positions)
    counts = case.possible & (np.arange(len(off)) >= NEAR_SETTLED_S * RATE)
    if not counts.any():
        raise RuntimeError(f"{name} cannot look at any of these points")
    return float(off[counts].max())


def still_motion_rad(name: str, seed: int, stands_s: float) -> float:
    """How far all joints together still move after a walk has stopped and they have had time to arrive [rad]."""
    case = build_case(name, postures(name, REPORTED.posture_seed, 1)[0], walk(seed, 15.0, WALK_S, RATE))
    loop = Loop(case.problem, start=case.start)
    targets = case.course.targets(loop.chain.end_point)
    for target in targets:  # the last 5 s of a walk stand already
        loop.submit(target)
        loop.step()
    return _motion(loop, targets[-1], stands_s)


def _motion(loop: Loop, target: Target, seconds: float) -> float:
    """What all joints move while the same target is said again and again [rad]."""
    total, last = 0.0, loop.step().positions
    for _ in range(round(seconds * loop.rate_hz)):
        loop.submit(target)
        command = loop.step()
        total += float(np.abs(command.positions - last).sum())
        last = command.positions
    return total
