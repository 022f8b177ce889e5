"""Every format that clips go out as: written, then read back by what the other side reads with.

A format counts where every number read back is the one that was meant, to the last digit that the format holds. The
readers here are the other side's own (rosbags, pyarrow, numpy, yaml, json), or read the layout byte by byte as its
documentation states it; none of them is animato's.
"""

from __future__ import annotations

import json
import pickle
import re
import struct
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Bus, BusKind, Character, Wire
from animato.formats import load_character
from animato.loading import load_clip
from animato.stage.exporting import FORMATS, Take, export, take_of
from animato.stage.exporting.reachy import head_poses
from animato.stage.exporting.ros import trajectory_of
from benchmarks.row import Row

Pair = tuple[np.ndarray, np.ndarray]
"""What was meant, and what was read."""

_ZEROS = {"turn": 1500.0, "shoulder": 1440.0, "elbow": 1000.0, "nod": 1530.0, "tilt": 1500.0}


def rows(*, quick: bool = True) -> list[Row]:
    """One row for all formats; one each for the time and the largest difference."""
    lamp = _lamp()
    clip = load_clip("lamp_look", lamp)
    found, equal = [], 0
    for name, one in FORMATS.items():
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / f"clip{one.suffix}"
            options: dict[str, Any] = {"head": "shade"} if name == "reachy-mini" else {}
            export(place, lamp, clip, to=name, **options)  # the first time imports what it needs
            start = time.perf_counter()
            export(place, lamp, clip, to=name, **options)
            seconds = time.perf_counter() - start
            meant, read = READERS[name](place, take_of(lamp, clip, rate_hz=one.rate_hz))
        same = meant.shape == read.shape
        error = float(np.abs(meant - read).max(initial=0.0)) if same else float("inf")
        equal += error == 0.0
        found += [Row(f"export.{name}.ms", 1e3 * seconds, "ms", "lower")]
        found += [Row(f"export.{name}.error", error, "rad, counts or ticks", "lower")]
    return [Row("export.formats", float(equal), f"of {len(FORMATS)} formats, read back equal", "higher"), *found]


def _lamp() -> Character:
    lamp = load_character("lamp")
    wires = tuple(Wire(name, "arm", 2 + n, zero=zero) for n, (name, zero) in enumerate(_ZEROS.items()))
    return replace(lamp, buses=(Bus("arm", BusKind.MAESTRO),), wires=wires)


def _told(take: Take, parts: int = 1) -> np.ndarray:
    """What servos are told by the servo map above; the catalogue says 180 degrees from 500 to 2500 microseconds."""
    return np.rint(parts * (np.array(list(_ZEROS.values())) + take.clip.positions * 2000.0 / np.pi))


def _bag(place: Path, take: Take) -> Pair:
    from rosbags.rosbag2 import Reader
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    states = []
    with Reader(place) as reader:
        for connection, stamp, data in reader.messages():
            if connection.topic == "/joint_states":
                message: Any = store.deserialize_cdr(data, connection.msgtype)
                states.append([stamp * 1e-9, *message.position, *message.velocity])
    meant = np.column_stack([np.rint(take.clip.times * 1e9) * 1e-9, take.clip.positions, take.clip.velocity()])
    return meant, np.array(states)


def _goal(place: Path, take: Take) -> Pair:
    import yaml

    points = yaml.load(place.read_text(), yaml.CSafeLoader)["trajectory"]["points"]
    read = [[*one["positions"], *one["velocities"], *one["accelerations"]] for one in points]
    meant = trajectory_of(take)
    return np.hstack([meant.positions, meant.velocities, meant.accelerations]), np.array(read)


def _lerobot(place: Path, take: Take) -> Pair:
    import pyarrow.parquet as pq

    table = pq.read_table(place / "data/chunk-000/file-000.parquet")
    read = np.hstack([np.array(table.column(name).to_pylist()) for name in ("observation.state", "action")])
    state = take.clip.positions.astype(np.float32)
    return np.hstack([state, np.vstack([state[1:], state[-1:]])]), read


def _reachy(place: Path, take: Take) -> Pair:
    data = json.loads(place.read_text())["set_target_data"]
    meant = head_poses(take.character, take.clip, "shade")
    return meant, np.array([one["head"] for one in data])


def _commands(commands: bytes, take: Take) -> Pair:
    frames: list[list[int]] = []
    now: dict[int, int] = {}
    at = 0
    while at < len(commands):
        if commands[at] == 0x0A:
            frames.append(list(now.values()))
            at += 1
        else:
            now[commands[at + 1]] = commands[at + 2] * 256 + commands[at + 3]
            at += 5
    return _told(take), np.array(frames)


def _servo_json(place: Path, take: Take) -> Pair:
    frames: list[list[int]] = []
    now: dict[str, int] = {}
    for frame in json.loads(place.read_text())["positions"]:
        now |= frame
        frames.append(list(now.values()))
    return _told(take), np.array(frames)


def _servo_header(place: Path, take: Take) -> Pair:
    code = place.read_text().split("*/", 1)[1]
    return _commands(bytes(int(one, 16) for one in re.findall(r"0x([0-9a-f]{2})", code)), take)


def _sketch(place: Path, take: Take) -> Pair:
    code = (place / "clip.h").read_text().split("CLIP_FRAMES[CLIP_FRAME_COUNT * CLIP_SERVOS] = {", 1)[1]
    read = np.array([int(one) for one in re.findall(r"\d+", code)])
    return _told(take, 4), read.reshape(-1, len(take.clip.names))


def _card(place: Path, take: Take) -> Pair:
    content = (place / "CLIP.ANI").read_bytes()
    begins, servos, frames = struct.unpack_from("<HHI", content, 8)
    read = np.frombuffer(content, "<u2", offset=begins).reshape(frames, servos).astype(int)
    return _told(take, 4), read


def _csv(place: Path, take: Take) -> Pair:
    return take.clip.positions, np.loadtxt(place, delimiter=",")[:, 7:]


def _degrees(place: Path, take: Take) -> Pair:
    return np.degrees(take.clip.positions), np.loadtxt(place, delimiter=",", skiprows=1)[:, 7:]


def _npz(key: str, columns: slice = slice(None)) -> Callable[[Path, Take], Pair]:
    def read(place: Path, take: Take) -> Pair:
        with np.load(place) as file:
            kept = np.array(file[key])[:, columns]
        return take.clip.positions.astype(kept.dtype), kept

    return read


def _pickle(place: Path, take: Take) -> Pair:
    return take.clip.positions, np.array(pickle.loads(place.read_bytes())["dof_pos"])  # written a moment ago, by us


READERS: dict[str, Callable[[Path, Take], Pair]] = {
    "ros2-mcap": _bag,
    "ros2-sqlite3": _bag,
    "ros2-goal": _goal,
    "lerobot": _lerobot,
    "reachy-mini": _reachy,
    "servo-animation-json": _servo_json,
    "servo-animation-h": _servo_header,
    "servo-animation-bin": lambda place, take: _commands(place.read_bytes(), take),
    "arduino": _sketch,
    "arduino-sd": _card,
    "unitree": _csv,
    "kimodo": _csv,
    "bones-seed": _degrees,
    "beyondmimic": _npz("joint_pos"),
    "mjlab": _npz("joint_pos"),
    "gmr": _pickle,
    "holosoma": _npz("qpos", slice(7, None)),
    "holosoma-training": _npz("joint_pos", slice(7, None)),
}
"""What the other side reads each format with; the lamp is a chain, so that all orders of joints are the same."""
