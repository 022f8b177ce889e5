# SPDX-License-Identifier: GPL-3.0-or-later
"""From an action to a clip: where the bones really are at every frame, constraints and all, in the robot's coordinates.

Channels that are keyed say nothing of constraints, so evaluated matrices are read.
"""

import csv
import io
import json
import math
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from .armature import holds_range
from .errors import BridgeError

_NOISE = 2e-6  # [rad or m] by which single precision may miss a limit that Blender holds
_SAME_TURN = 1e-3  # [rad] so close is an angle that was read to the one that was keyed, if nothing else moves the bone


@dataclass
class Sampled:
    """A motion.

    Attributes:
        first_frame: Of Blender's.
        rate_hz: Frames a second.
        coordinates: Of the columns.
        values: [m, rad or parts of quaternions], shape [frame, coordinate].
    """

    first_frame: int
    rate_hz: float
    coordinates: list
    values: np.ndarray

    def save(self, path, header, source) -> None:
        """Writes it as a clip that animato reads.

        Args:
            path: Ends in .csv.
            header: Cells of the first line, as animato told them.
            source: What people call the motion.
        """
        text = io.StringIO(newline="")
        text.write(f"# animato clip\n# source: {json.dumps(source)}\n")
        csv.writer(text, lineterminator="\n").writerow(header)
        for number, row in enumerate(self.values.tolist()):
            text.write(",".join(map(repr, [number / self.rate_hz, *row])) + "\n")
        Path(path).write_text(text.getvalue(), encoding="utf-8", newline="")


def rate_of(scene) -> float:
    """Frames a second; 29.97 is 30 over a base of 1.001, of which Blender keeps seven digits."""
    return scene.render.fps / round(scene.render.fps_base, 6)


def frames_of(rig, scene, which):
    """First and last frame of what is taken.

    Args:
        rig: The armature.
        scene: Its scene.
        which: "ACTION" or "SCENE".

    Raises:
        BridgeError: There is no action.
    """
    if which == "SCENE":
        return scene.frame_start, scene.frame_end
    action = rig.animation_data.action if rig.animation_data else None
    if action is None:
        raise BridgeError(f"'{rig.name}' has no action. Make one, or take the range of the scene.")
    first, last = action.frame_range
    return math.floor(first + 1e-4), math.ceil(last - 1e-4)


def sample(rig, told, scene, first, last):
    """Reads a range of frames; a generator for a job, one step a frame. The scene is put back where it was.

    Args:
        rig: The armature.
        told: What animato says of the character.
        scene: Its scene.
        first: Frame.
        last: Frame, taken too.
    """
    before, part = scene.frame_current, scene.frame_subframe
    bones = told["bones"]
    count = last - first + 1
    poses = np.empty((count, len(bones), 4, 4))
    keyed = np.zeros((count, len(bones)))
    world = np.empty((count, 4, 4))
    try:
        for number in range(count):
            scene.frame_set(first + number)
            seen = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
            world[number] = seen.matrix_world
            for n, bone in enumerate(bones):
                posed = seen.pose.bones[bone["bone"]]
                poses[number, n] = posed.matrix
                keyed[number, n] = posed.rotation_euler[1] if bone["kind"] == "turn" else 0.0
            yield f"reading frame {number + 1}/{count}"
    finally:
        scene.frame_set(before, subframe=part)
    values = _coordinates(rig, bones, poses, keyed, world)
    names = told["clip"]["coordinates"]
    return Sampled(first, rate_of(scene), names, np.column_stack([values[name] for name in names]))


def _coordinates(rig, bones, poses, keyed, world):
    """Coordinates of all bones by name, each of the shape [frame]."""
    if np.abs(world[:, :3, :3] @ world[:, :3, :3].transpose(0, 2, 1) - np.eye(3)).max() > 1e-4:
        raise BridgeError(f"The object '{rig.name}' is scaled; a robot has one size. Set its scale to 1.")
    rest = np.array([rig.data.bones[bone["bone"]].matrix_local for bone in bones])
    number = {bone["name"]: n for n, bone in enumerate(bones)}
    found = {}
    for n, bone in enumerate(bones):
        above = None if bone["parent"] is None else number[bone["parent"]]
        if bone["kind"] == "root":
            local = world @ poses[:, n] @ np.linalg.inv(rest[n])
        elif above is None:
            local = np.linalg.inv(rest[n]) @ poses[:, n]
        else:
            local = np.linalg.inv(rest[n]) @ rest[above] @ np.linalg.inv(poses[:, above]) @ poses[:, n]
        for channel in bone["channels"]:
            found[channel["coordinate"]] = channel["sign"] * _read(channel, local, keyed[:, n])
    return found


def _read(channel, local, keyed):
    if channel["path"] == "location":
        values = local[:, channel["index"], 3]
    elif channel["path"] == "quaternion":
        return _quaternions(local[:, :3, :3])[:, channel["index"]]
    else:
        values = _whole_turns(np.arctan2(local[:, 0, 2] - local[:, 2, 0], local[:, 0, 0] + local[:, 2, 2]), keyed)
    if not holds_range(channel):
        return values
    lower = -np.inf if channel["lower"] is None else channel["lower"]
    upper = np.inf if channel["upper"] is None else channel["upper"]
    near = (values > lower - _NOISE) & (values < upper + _NOISE)
    return np.where(near, np.clip(values, lower, upper), values)


def _whole_turns(angles, keyed):
    """Angles with the turns that a matrix does not tell: as keyed, else closest to the frame before."""
    found = np.empty_like(angles)
    before = keyed[0]
    for n, angle in enumerate(angles):
        by_key = angle + 2.0 * np.pi * np.round((keyed[n] - angle) / (2.0 * np.pi))
        on = angle + 2.0 * np.pi * np.round((before - angle) / (2.0 * np.pi))
        found[n] = before = by_key if abs(by_key - keyed[n]) < _SAME_TURN else on
    return found


def _quaternions(turns):
    """Unit quaternions (w, x, y, z) of matrices, shape [frame, 4], without leaps of sign."""
    m = np.asarray(turns)
    # The eigenvector of Bar-Itzhack's matrix: good for any turn, and the nearest one for a matrix that is rounded.
    k = np.empty((len(m), 4, 4))
    k[:, 0, 0] = m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    k[:, 0, 1] = k[:, 1, 0] = m[:, 2, 1] - m[:, 1, 2]
    k[:, 0, 2] = k[:, 2, 0] = m[:, 0, 2] - m[:, 2, 0]
    k[:, 0, 3] = k[:, 3, 0] = m[:, 1, 0] - m[:, 0, 1]
    for a in range(3):
        for b in range(3):
            k[:, a + 1, b + 1] = m[:, a, b] + m[:, b, a]
        k[:, a + 1, a + 1] -= k[:, 0, 0]
    quaternions = np.linalg.eigh(k)[1][:, :, -1]
    quaternions[0] *= -1.0 if quaternions[0, 0] < 0.0 else 1.0
    for n in range(1, len(quaternions)):
        if quaternions[n] @ quaternions[n - 1] < 0.0:
            quaternions[n] *= -1.0
    return quaternions
