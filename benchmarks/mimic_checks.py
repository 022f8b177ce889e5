"""What must hold of mimic beside the scored clips: flight, the paper's robot, any start, long clips, live streams."""

from __future__ import annotations

import importlib
import importlib.util
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from animato import mimic
from animato.mechanics.contact import root_wrench, weight_of
from animato.mechanics.tree import forward_kinematics, states_of_clip
from animato.mimic.anatomy import Anatomy
from animato.mimic.person import Person, resampled
from animato.motion import Clip
from animato.spatial import quaternions
from benchmarks.mimic_cases import RULES, left_out, missing, person, robot
from benchmarks.mimic_ours import cut, solved
from benchmarks.row import Row

STARTS = {True: ("wave", 1.5, 1), False: ("golf", np.inf, 5)}
"""Capture, how much of it [s], and random starts, by whether the run is quick."""
GROWTH_FRAMES = {True: (200, 1000), False: (1000, 10_000)}
"""Frames of the short and of the long clip, by whether the run is quick."""


def jump_rows() -> list[Row]:
    """The largest force on the root between take-off and landing, which nothing can give, over the weight."""
    if left_out("jump.*", missing()):
        return []
    found = solved(person("jump"), "g1").solution
    plan, clip = found.problem.plan, found.clip
    character = found.problem.character
    inner = plan.flight & np.roll(plan.flight, 1) & np.roll(plan.flight, -1)  # without the knots of both ends
    knots = np.rint(np.interp(clip.times - clip.times[0], plan.times, np.arange(len(plan.times)))).astype(np.int64)
    flying = inner[knots]
    if left_out("jump.flight_wrench_share", "" if flying.any() else "no flight was found in the capture."):
        return []
    wrench = root_wrench(character, states_of_clip(character, clip, clip.times[flying]))
    share = float(np.linalg.norm(wrench.force, axis=1).max() / weight_of(character))
    return [Row("jump.flight_wrench_share", share, "1", "lower")]


def paper_rows(*, quick: bool) -> list[Row]:
    """The paper's robot by the paper's method."""
    reason = missing()
    if not reason and importlib.util.find_spec("benchmarks.mimic_published") is None:
        reason = "it is not measured yet."
    if left_out("hrp4c.*", reason):
        return []
    found: list[Row] = importlib.import_module("benchmarks.mimic_published").published_rows(quick=quick)
    return found


def start_rows(*, quick: bool) -> list[Row]:
    """Largest distance of a landmark between motions found from other starts: turned about, and random."""
    if left_out("start_spread_mm", missing()):
        return []
    anatomy = robot("g1")
    assert anatomy is not None  # for the type checker: it lies beside the captures
    name, seconds, random = STARTS[quick]
    options = mimic.Options(slow_down=False)  # motions of one length compare
    problem = mimic.build(anatomy.character, cut(person(name), seconds), options, anatomy=anatomy)
    usual = mimic.solve(problem).clip
    places = _key_points(anatomy, usual)
    spread = [
        np.linalg.norm(_key_points(anatomy, mimic.solve(problem, start=start).clip) - places, axis=2).max()
        for start in _starts(anatomy, usual, random)
    ]
    return [
        Row("start_spread_mm", 1e3 * float(max(spread)), "mm", "lower"),
        Row("start_spread.turned_mm", 1e3 * float(spread[0]), "mm", "lower"),
    ]


def _starts(anatomy: Anatomy, usual: Clip, random: int) -> list[Clip]:
    """Standing the wrong way round, and anyhow: bases a metre off and turned, joints all over half of their ranges."""
    rng = np.random.default_rng(4)
    assert usual.base_positions is not None and usual.base_quaternions_wxyz is not None
    about = quaternions.quaternion_about((0.0, 0.0, 1.0), np.pi)
    stand = np.tile(anatomy.stand_posture, (usual.frame_count, 1))
    turned = quaternions.multiply(about, usual.base_quaternions_wxyz)
    starts = [Clip(usual.times, usual.names, stand, usual.base_positions, turned)]
    ranges = np.array([joint.limits[0].range for joint in anatomy.character.free_joints])
    middle, half = ranges.mean(axis=1), 0.5 * np.ptp(ranges, axis=1)
    for _ in range(random):
        posture = middle + 0.5 * half * rng.uniform(-1.0, 1.0, len(half))
        turn = quaternions.quaternion_about((0.0, 0.0, 1.0), rng.uniform(-np.pi, np.pi))
        places = usual.base_positions + np.append(rng.uniform(-1.0, 1.0, 2), 0.0)
        turns = quaternions.multiply(turn, usual.base_quaternions_wxyz)
        starts.append(Clip(usual.times, usual.names, np.tile(posture, (usual.frame_count, 1)), places, turns))
    return starts


def _key_points(anatomy: Anatomy, clip: Clip) -> np.ndarray:
    """Of the robot in the world [m], [frame, landmark, 3]."""
    poses = forward_kinematics(anatomy.character, clip)
    return np.stack([poses.of(point.body).apply(point.position) for point in anatomy.points], axis=1)


def growth_rows(*, quick: bool) -> list[Row]:
    """Processor time a frame of a long clip over that of a short one, 1 where it is linear; and the memory it takes."""
    if left_out("growth", missing()):
        return []
    found = []
    for count in GROWTH_FRAMES[quick]:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:  # of which memory can be told
            found.append(alone.submit(_long_clip, count).result())
    (short, _), (long, gigabytes) = found
    rows = [Row("growth", long / short, "1", "lower", "linear", 1.0), Row("growth.s_per_frame", long, "s", "lower")]
    if gigabytes is not None:
        rows.append(Row("growth.memory_gb", gigabytes, "GB", "lower"))
    return rows


def _long_clip(count: int) -> tuple[float, float | None]:
    """Processor time a frame of so many frames [s], and the most memory that the process ever had [GB] where known."""
    ours = solved(_to_and_fro(person("wave"), count), "g1", mimic.Options(slow_down=False))
    status = Path("/proc/self/status")  # of this program alone, which ru_maxrss is not: it begins with the parent's
    lines = status.read_text().splitlines() if status.is_file() else []
    peaks = [1e-6 * 1.024 * float(line.split()[1]) for line in lines if line.startswith("VmHWM")]
    return ours.seconds / count, peaks[0] if peaks else None


def _to_and_fro(whole: Person, count: int) -> Person:
    """The person's motion forward, backward and forward again, for so many frames of judging."""
    times = np.arange(count) / RULES.rate_hz
    length = whole.times[-1] - whole.times[0]
    phase = np.mod(times, 2.0 * length)
    source = whole.times[0] + np.where(phase > length, 2.0 * length - phase, phase)
    order = np.unique(source)
    positions = resampled(whole, order).positions[np.searchsorted(order, source)]
    return replace(whole, times=times, positions=positions)
