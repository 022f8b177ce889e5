"""DR Legs, a walking robot with six closed loops: states of all bodies for the 2239 frames of its walk.

Both get the same file and the same frames, one after the other from rest, and both may begin each frame where the
one before ended. Compiling, reading the file and building the mechanism are done before the clock starts.
"""

from __future__ import annotations

import importlib.util
import logging
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from animato.formats.character_files import load_character
from animato.loading.clips import load_clip
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.mechanics.loops.motion import LoopMotion
from benchmarks.design_dr_legs_peer import Kamino
from benchmarks.row import Row

FOLDER = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "mechanisms" / "dr_legs"
QUICK_FRAMES = 300


def missing() -> str:
    """Why it cannot be measured here, or ""."""
    if not FOLDER.is_dir():
        return "its files are not on this machine (a folder shared/data beside the checkout)"
    if importlib.util.find_spec("pxr") is None:
        return "its file is USD, which needs the package usd-core"
    return ""


def cpu_seconds(call: Callable[[], object], repeats: int) -> float:
    """Best processor time [s]; unlike the time on the wall it does not see other programs."""
    seconds = []
    for _ in range(repeats):
        began = time.process_time()
        call()
        seconds.append(time.process_time() - began)
    return min(seconds)


def pose_differences(motion: LoopMotion, names: list[str], poses: np.ndarray) -> tuple[float, float]:
    """Largest difference between our poses and another's: of positions [m] and of quaternions.

    Args:
        motion: Ours, held at its root.
        names: Of the other's bodies, the root first.
        poses: The other's positions and quaternions wxyz, shape [frame, body, 7].
    """
    ours = motion.states.reshape(len(motion.states), -1, 7)[:, [motion.mechanism.body_index(name) for name in names]]
    apart = (ours[..., :3] - ours[:, :1, :3]) - (poses[..., :3] - poses[:, :1, :3])  # the roots stand elsewhere
    turned = [ours[..., 3:] - sign * poses[..., 3:] for sign in (1.0, -1.0)]  # q and -q are the same rotation
    turn = np.minimum(*(np.linalg.norm(one, axis=-1) for one in turned))
    return float(np.max(np.linalg.norm(apart, axis=-1))), float(np.max(turn))


def dr_legs_rows(*, quick: bool) -> list[Row]:
    """Time of a frame and what is left open in the loops; nothing where the robot is not on this machine."""
    reason = missing()
    if reason:
        logging.getLogger(__name__).warning("dr_legs.frame_ms is left out: %s.", reason)
        return []
    legs = load_character(FOLDER / "dr_legs.usda")
    walk = load_clip(FOLDER / "dr_legs_animation_100fps.npy", legs, rate_hz=100)
    mechanism = build_mechanism(legs)
    controls = walk.selected(mechanism.control_names).positions[: QUICK_FRAMES if quick else None]
    motion = loop_kinematics(mechanism, controls)  # compiles
    ours = 1e3 * cpu_seconds(lambda: loop_kinematics(mechanism, controls), 7) / len(controls)
    open_loops = float(max(motion.residual.max(), motion.dropped_residual.max(), motion.actuator_residual.max()))
    if importlib.util.find_spec("newton") is None:
        absent = "kamino: not installed"
        return [
            Row("dr_legs.frame_ms", ours, "ms", "lower", absent),
            Row("dr_legs.residual", open_loops, "m or 1", "lower", absent),
        ]
    peer = Kamino(FOLDER / "dr_legs.usda", mechanism.control_names)
    solved = peer.solved(controls)  # compiles
    theirs = 1e3 * cpu_seconds(lambda: peer.follow(controls), 2) / len(controls)
    apart, turn = pose_differences(motion, peer.body_names, solved.poses)
    return [
        Row("dr_legs.frame_ms", ours, "ms", "lower", "kamino", theirs),
        Row("dr_legs.residual", open_loops, "m or 1", "lower", "kamino", solved.residual),
        Row("dr_legs.position_from_kamino", apart, "m", "lower"),
        Row("dr_legs.quaternion_from_kamino", turn, "1", "lower"),
    ]
