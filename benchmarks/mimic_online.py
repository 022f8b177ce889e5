"""The live loop of mimic: captures as a stream, at the rate at which they were captured, judged like whole clips."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from animato.mimic.judging import Score, score
from animato.mimic.online import Loop
from animato.mimic.person import resampled
from animato.motion import Clip
from benchmarks.mimic_cases import RULES, left_out, missing, person, robot
from benchmarks.row import Row

STREAMED = ("walk", "wave", "golf")
SLOW_HZ = 30.0
"""Of a second stream: one pose for each knot of the loop, and so one step of its solver."""

_WARM = 30  # frames until kernels are loaded and warm

FIGURES: dict[str, tuple[str, Literal["lower", "higher"]]] = {
    "keypoint_mm": ("mm", "lower"),
    "zmp_out_percent": ("%", "lower"),
    "torque_share": ("1", "lower"),
}


@dataclass(frozen=True, eq=False)
class Streamed:
    """What became of a stream.

    Attributes:
        seconds: Processor time of each frame [s], [frame].
        score: Of all commands that follow the person.
    """

    seconds: np.ndarray
    score: Score


def online_rows() -> list[Row]:
    """Frames a second and how well the person is followed: the worst of all clips, then each."""
    if left_out("online.*", missing()):
        return []
    found = {name: streamed(name) for name in STREAMED}
    slow = streamed(STREAMED[0], SLOW_HZ)
    rows = [
        Row("online_fps", min(1.0 / float(one.seconds.mean()) for one in found.values()), "frames/s", "higher"),
        Row("online.p99_ms", max(_p99_ms(one) for one in found.values()), "ms", "lower"),
        Row("online.slow_fps", 1.0 / float(slow.seconds.mean()), "frames/s", "higher"),
        Row("online.slow_p99_ms", _p99_ms(slow), "ms", "lower"),
    ]
    for figure, (unit, direction) in FIGURES.items():
        values = {name: float(getattr(one.score, figure)) for name, one in found.items()}
        rows.append(Row(f"online.{figure}", max(values.values()), unit, direction))
        rows += [Row(f"online.{name}.{figure}", value, unit, direction) for name, value in values.items()]
    return rows


def streamed(name: str, rate_hz: float | None = None) -> Streamed:
    """Streams a capture to the G1; as often as it was captured where no rate is given."""
    anatomy, who = robot("g1"), person(name)
    assert anatomy is not None  # for the type checker: it lies beside the captures
    if rate_hz is not None:
        who = resampled(who, np.arange(who.times[0], who.times[-1], 1.0 / rate_hz))
    loop = Loop(anatomy, who.names)
    seconds, times, poses = [], [], []
    for moment, landmarks in zip(who.times, who.positions, strict=True):
        begin = time.process_time()
        command = loop.step(float(moment), landmarks)
        seconds.append(time.process_time() - begin)
        if "starting" not in command.flags and command.time_s >= who.times[0] - 1e-6:
            times.append(command.time_s)
            poses.append(np.concatenate([command.base_position, command.base_quaternion_wxyz, command.positions]))
    pose = np.array(poses)
    clip = Clip(np.array(times), loop.coordinate_names, pose[:, 7:], pose[:, :3], pose[:, 3:7])
    judged = times[0] + np.arange(int(np.floor((times[-1] - times[0]) * RULES.rate_hz + 1e-6)) + 1) / RULES.rate_hz
    found = score(anatomy, clip.resampled(judged), resampled(who, judged), curve=clip, rules=RULES)
    return Streamed(np.array(seconds[_WARM:]), found)


def _p99_ms(one: Streamed) -> float:
    return 1e3 * float(np.percentile(one.seconds, 99))
